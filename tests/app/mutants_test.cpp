// SPDX-License-Identifier: GPL-3.0-or-later
// The program itself on mutants of the samples: whatever the text, it ends by itself within its time, with a bound or
// with an error that is no defect. scripts/attack-input runs many more.
#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <iostream>

#include "fuzz/mutate_ptx.hpp"
#include "tests/app/run_program.hpp"
#include "tests/app/sample_options.hpp"
#include "tests/paths.hpp"

namespace {

using namespace warpspan::test;

constexpr size_t batch_size = 20;
constexpr rlim_t most_seconds = 10;  // of a processor

struct Base {
  std::string text;
  std::vector<std::string> options;
};

std::vector<Base> bases() {
  std::vector<Base> all;
  for (const SampleCommand& command : sample_commands()) {
    for (const std::string& file : command.files) all.push_back({read_file(file), command.options});
  }
  const std::string folder = warpspan::test::source_dir() + "/tests/samples";
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".ptx") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) all.push_back({read_file(file), {"--block", "64"}});
  return all;
}

struct Run {
  int status = 0;      // of exit, or -signal
  size_t bounded = 0;  // kernels
};

Run run_on(const std::vector<std::string>& options, const std::vector<std::string>& files) {
  std::vector<std::string> arguments = {"analyze", "--model", "all", "--time-limit", "0", "--memory", "1G"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.insert(arguments.end(), files.begin(), files.end());
  const TemporaryFolder streams;
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    const rlimit seconds{most_seconds, most_seconds};
    ::setrlimit(RLIMIT_CPU, &seconds);
    const int nowhere = ::open("/dev/null", O_RDWR);
    become_program(arguments, {}, nowhere, ::open(streams.file("out").c_str(), O_WRONLY | O_CREAT, 0600), nowhere);
  }
  Run run;
  run.status = wait_for(child);
  const std::string report = read_file(streams.file("out"));
  constexpr std::string_view headline = "cycles whatever it does\n";  // once for a kernel
  for (size_t at = report.find(headline); at != std::string::npos; at = report.find(headline, at + 1)) ++run.bounded;
  return run;
}

bool is_good(int status) { return status == 0 || status == 2 || status == 3; }

struct Attack {
  size_t mutants = 0, kernels_bounded = 0, defects = 0, signals = 0;
  std::vector<std::string> failures;
};

// One batch of mutants of one sample. All are run at once, and one by one if that does not end well.
void attack(const Base& base, uint64_t first, Attack& found, const std::string& keep) {
  const TemporaryFolder folder;
  std::vector<std::string> files;
  for (size_t i = 0; i < batch_size; ++i) {
    files.push_back(folder.file("mutant-" + std::to_string(first + i) + ".ptx"));
    write_file(files.back(), warpspan::fuzz::mutate_ptx(base.text, first + i));
  }
  found.mutants += batch_size;
  const Run together = run_on(base.options, files);
  found.kernels_bounded += together.bounded;
  if (is_good(together.status)) return;
  const size_t failures_before = found.failures.size();
  for (const std::string& file : files) {
    const Run run = run_on(base.options, {file});
    found.kernels_bounded += run.bounded;
    if (is_good(run.status)) continue;
    (run.status < 0 ? found.signals : found.defects) += 1;
    const std::string name = std::filesystem::path(file).filename();
    std::string failure = name + ": " + std::to_string(run.status);
    for (const std::string& option : base.options) failure += " " + option;
    found.failures.push_back(failure);
    if (!keep.empty()) write_file(keep + "/" + name, read_file(file));
  }
  // Twenty files that take half a second each are no failure.
  if (found.failures.size() == failures_before && together.status != -SIGXCPU && together.status != -SIGKILL) {
    found.failures.push_back("batch from " + std::to_string(first) + ": " + std::to_string(together.status));
  }
}

Attack attack_all(uint64_t first, uint64_t count, const std::string& keep, bool show) {
  const std::vector<Base> all = bases();
  Attack found;
  for (uint64_t seed = first; seed < first + count; seed += batch_size) {
    attack(all[(seed / batch_size) % all.size()], seed, found, keep);
    if (!show) continue;
    for (const std::string& failure : found.failures) std::cout << failure << std::endl;
    found.failures.clear();
  }
  return found;
}

uint64_t number_from(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}

}  // namespace

TEST_CASE("mutants of the samples end without a signal and without a defect") {
  const Attack found = attack_all(0, 400, "", false);
  CHECK(found.failures == std::vector<std::string>{});
  CHECK(found.mutants == 400);
}

TEST_CASE("a mutant follows from text and seed") {
  const std::string text = read_file(warpspan::test::source_dir() + "/samples/saxpy.ptx");
  CHECK(warpspan::fuzz::mutate_ptx(text, 7) == warpspan::fuzz::mutate_ptx(text, 7));
  CHECK(warpspan::fuzz::mutate_ptx(text, 7) != warpspan::fuzz::mutate_ptx(text, 8));
  CHECK(warpspan::fuzz::mutate_ptx("", 7).size() < 10'000);
}

// scripts/attack-input
TEST_CASE("many mutants", "[.attack]") {
  const char* keep = std::getenv("WARPSPAN_ATTACK_KEEP");
  const uint64_t first = number_from("WARPSPAN_ATTACK_FIRST");
  const Attack found = attack_all(first, number_from("WARPSPAN_ATTACK_COUNT"), keep == nullptr ? "" : keep, true);
  std::cout << found.mutants << " mutants from seed " << first << ": " << found.kernels_bounded << " kernels bounded, "
            << found.defects << " defects, " << found.signals << " signals" << std::endl;
  CHECK(found.defects == 0);
  CHECK(found.signals == 0);
}
