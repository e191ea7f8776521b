// SPDX-License-Identifier: GPL-3.0-or-later
// Times of functions without a body, told on the command line, in budgets and in files of facts: of code that nvcc
// made.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.hpp"
#include "tests/paths.hpp"

namespace {

using Json = nlohmann::json;
using namespace warpspan::test;
using Words = std::vector<std::string>;

const std::string file = "tests/corpus/ptx/debug.nvcc-sm_80.ptx";

ProgramRun run(const std::string& command, const Words& more, const std::string& kernel = "print_values") {
  Words words = {command, file, "--kernel", kernel, "--block", "128", "--arg", "1=16"};
  words.insert(words.end(), more.begin(), more.end());
  return run_warpspan(words);
}

Json kernel_of(Words more) {
  more.insert(more.end(), {"--explain", "--format", "json", "--time-limit", "0"});
  const ProgramRun ran = run("analyze", more);
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  return Json::parse(ran.out).at("kernels").at(0);
}

// Of the one bound: the string model has no symbol for a call.
Json bound_of(const Json& kernel) {
  REQUIRE(kernel.at("bounds").size() == 1);
  return kernel.at("bounds").at(0);
}

std::string last_assumption(const Json& kernel) { return bound_of(kernel).at("assumptions").back().get<std::string>(); }

// The path of a new file.
std::string with_text(const TemporaryFolder& folder, const std::string& text) {
  std::string path = folder.file(std::to_string(folder.files()) + ".toml");
  write_file(path, text);
  return path;
}

const std::string head = "[[kernel]]\nname = \"print_values\"\n[kernel.calls]\n";

}  // namespace

TEST_CASE("without a time a call is refused, with what to write") {
  const ProgramRun refused = run("analyze", {});
  CHECK(refused.status == 3);
  CHECK(contains(refused.err, "'vprintf' has no body in this file, so its time cannot be bounded"));
  CHECK(contains(refused.err,
                 "help: take the output out, as with a macro that only builds for debugging define; or say how long a "
                 "call of a warp takes at most: --call-cost vprintf=TIME, such as 20us, or a line under [kernel.calls] "
                 "of a facts file: vprintf = \"20 us\"\n"));
  const ProgramRun other = run("analyze", {}, "heap_lists");
  CHECK(contains(other.err,
                 "help: link it in (nvcc -dlto, clang with its bitcode), or take the call out; or say how "
                 "long a call of a warp takes at most: --call-cost malloc=TIME"));
}

TEST_CASE("the time of a call, in an option, in a file of facts and in a budget, bounds the kernel") {
  const TemporaryFolder folder;
  const Json option = kernel_of({"--call-cost", "vprintf=20us"});
  CHECK(
      last_assumption(option) ==
      "One call of 'vprintf' by a warp, of all its lanes that come to it together, takes at most 20us whatever else "
      "runs, with all that it asks for; it comes back to these lanes together, keeps nobody waiting after its end, and "
      "writes no variable of the file whose address it is not given (--call-cost).");
  const std::string facts = with_text(folder, head + "vprintf = \"20 us\"\n");
  const Json of_file = kernel_of({"--facts", facts});
  CHECK(bound_of(of_file).at("makespan") == bound_of(option).at("makespan"));
  CHECK(contains(last_assumption(of_file), "at most 20 us whatever"));
  CHECK(contains(last_assumption(of_file), "(" + facts + ":4)."));
  const std::string cycles = with_text(folder, head + "vprintf = 28200\n");  // at 1410 MHz
  CHECK(bound_of(kernel_of({"--facts", cycles})).at("makespan") == bound_of(option).at("makespan"));

  const std::string budget =
      with_text(folder, "[[budget]]\nfile = \"" + warpspan::test::source_dir() + "/" + file +
                            "\"\nkernel = \"print_values\"\nblock = 128\nargs = { 1 = 16 }\ncalls = { vprintf = \"20 "
                            "us\" }\nmax = \"1 s\"\n");
  const ProgramRun checked = run_warpspan({"check", "--budgets", budget});
  INFO(checked.out << checked.err);
  CHECK(checked.status == 0);
}

TEST_CASE("a file of facts asks for the times that are missing") {
  const TemporaryFolder folder;
  const ProgramRun written = run("facts", {});
  CHECK(written.status == 0);
  CHECK(contains(written.out, "\n[kernel.calls]\nvprintf = 0\n"));
  const ProgramRun refused = run("analyze", {"--facts", with_text(folder, written.out)});
  CHECK(refused.status != 0);
  CHECK(contains(refused.err, "error: the time of a call of 'vprintf' is not filled in\n  vprintf = 0\n"));
  CHECK(contains(refused.err, "help: give the longest time of one call of a warp, as vprintf = \"20 us\"\n"));
  CHECK(contains(run("facts", {"--call-cost", "vprintf=3ms"}).out, "\n[kernel.calls]\nvprintf = \"3ms\"\n"));
  const ProgramRun json = run("facts", {"--format", "json"});
  CHECK(Json::parse(json.out).at("kernels").at(0).at("calls").dump() == R"([{"function":"vprintf","time":null}])");
}

TEST_CASE("times that are none are refused") {
  const TemporaryFolder folder;
  const auto error = [](const Words& words) { return run("analyze", words).err; };
  CHECK(contains(error({"--call-cost", "vprintf"}),
                 "--call-cost: expected NAME=TIME, such as vprintf=20us or malloc=5000 for cycles, got 'vprintf'"));
  CHECK(contains(error({"--call-cost", "vprintf=0us"}), "--call-cost: expected a time above 0, got 'vprintf=0us'"));
  CHECK(contains(error({"--call-cost", "vprintf=2 days"}), "--call-cost: vprintf=2 days: '2 days' is no time"));
  CHECK(contains(error({"--call-cost", "vprintf=0.0001ns"}), "'0.0001ns' is no whole number of picoseconds"));
  CHECK(contains(error({"--call-cost", "vprintf=1", "--call-cost", "vprintf=2"}), "--call-cost vprintf: given twice"));
  CHECK(
      contains(error({"--call-cost", "v*=1", "--call-cost", "vprintf=2us"}),
               "--call-cost: a call of 'vprintf' is given two times: 1 cycle and 2us\n  help: leave one of them out"));
  CHECK(contains(error({"--call-cost", "vprintf=900s"}),
                 "the time that is given for 'call vprintf' is more than 1099511627776 cycles of machine 'ampere'"));
  CHECK(contains(error({"--facts", with_text(folder, head + "vprintf = true\n")}),
                 "'vprintf' of [kernel.calls] must be a time, or a number of cycles\n  vprintf = true\n"));
}

TEST_CASE("a time of a function that nobody calls is an error in an option and a warning in a file") {
  const TemporaryFolder folder;
  const ProgramRun option = run("analyze", {"--call-cost", "vprintf=1us", "--call-cost", "printf=1us"});
  CHECK(option.status != 0);
  CHECK(contains(option.err,
                 "--call-cost: no kernel calls a function 'printf' that has no body\n  help: without a body "
                 "are vprintf"));
  const ProgramRun of_file = run("analyze", {"--facts", with_text(folder, head + "vprintf = 100\nprintf = 100\n")});
  CHECK(of_file.status == 0);
  CHECK(contains(of_file.err, "warning: no kernel calls a function 'printf' that has no body\n"));
}
