// SPDX-License-Identifier: GPL-3.0-or-later
// Reports that are written whole or not at all, whatever happens to the program on the way.
#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <set>

#include "tests/app/run_program.hpp"
#include "tests/thinned.hpp"

namespace {

using warpspan::test::become_program;
using warpspan::test::read_file;
using warpspan::test::run_warpspan;
using warpspan::test::TemporaryFolder;
using warpspan::test::wait_for;
using warpspan::test::write_file;
using Words = std::vector<std::string>;

const int kills = warpspan::test::thinned_seeds(32);

// A report of a megabyte: kernels with long strings.
std::string many_kernels() {
  std::string ptx = ".version 7.0\n.target sm_80\n.address_size 64\n";
  for (int i = 0; i < 100; ++i) {
    ptx += ".visible .entry k" + std::to_string(i) + "() {\n.reg .b32 %r<3>;\nmov.u32 %r1, %tid.x;\nret;\n}\n";
  }
  return ptx;
}

// Runs the program and kills it after so many microseconds. Whether it was killed.
bool killed_after(const Words& arguments, int64_t delay) {
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_RDWR);
    become_program(arguments, {}, nowhere, nowhere, nowhere);
  }
  ::usleep(static_cast<useconds_t>(delay));
  ::kill(child, SIGKILL);
  return wait_for(child) == -SIGKILL;
}

bool is_left_behind(const std::string& name) {
  const size_t at = name.rfind(".warpspan-");
  return at != std::string::npos && name.size() == at + 16;
}

}  // namespace

TEST_CASE("a program that is killed leaves the old report or the new one") {
  const TemporaryFolder folder;
  write_file(folder.file("k.ptx"), many_kernels());
  const std::string report = folder.file("report.json");
  const Words arguments = {"analyze", folder.file("k.ptx"), "--block", "32", "--format", "json", "--output", report};
  const auto begin = std::chrono::steady_clock::now();
  REQUIRE(run_warpspan(arguments).status == 0);
  const auto whole = std::chrono::steady_clock::now() - begin;
  const int64_t microseconds = std::chrono::duration_cast<std::chrono::microseconds>(whole).count();
  const std::string complete = read_file(report);
  REQUIRE(complete.size() > 400'000);

  const std::string old = "the old report";
  std::set<std::string> found;
  int killed = 0;
  for (int i = 0; i < kills; ++i) {
    // Half of them in the last fifth, when the report is written.
    const int64_t delay = i % 2 == 0 ? microseconds * i / kills : microseconds * 4 / 5 + microseconds * i / kills / 3;
    if (i % 3 == 0) {
      std::filesystem::remove(report);
    } else {
      write_file(report, old);
    }
    if (killed_after(arguments, delay)) ++killed;
    const std::string left = std::filesystem::exists(report) ? read_file(report) : std::string();
    CHECK((left == complete || left == (i % 3 == 0 ? "" : old)));
    found.insert(left);
  }
  CHECK(killed > 0);
  CHECK(found.size() >= 2);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    const std::string name = entry.path().filename();
    INFO(name);
    CHECK((name == "k.ptx" || name == "report.json" || is_left_behind(name)));
  }
}

TEST_CASE("a report that does not fit leaves the old one, and nothing beside it") {
  const TemporaryFolder folder;
  write_file(folder.file("k.ptx"), many_kernels());
  const std::string report = folder.file("report.json");
  write_file(report, "the old report");
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const rlimit most{100'000, 100'000};  // bytes of a file
    ::setrlimit(RLIMIT_FSIZE, &most);
    std::signal(SIGXFSZ, SIG_IGN);  // writing fails instead
    const int nowhere = ::open("/dev/null", O_RDWR);
    become_program({"analyze", folder.file("k.ptx"), "--block", "32", "--format", "json", "--output", report}, {},
                   nowhere, nowhere, nowhere);
  }
  CHECK(wait_for(child) == 2);
  CHECK(read_file(report) == "the old report");
  CHECK(folder.files() == 2);
}
