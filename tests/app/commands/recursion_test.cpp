// SPDX-License-Identifier: GPL-3.0-or-later
// Depths of recursive functions, told on the command line, in budgets and in files of facts: of code that nvcc made.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.hpp"
#include "tests/paths.hpp"

namespace {

using Json = nlohmann::json;
using namespace warpspan::test;
using Words = std::vector<std::string>;

const std::string file = "tests/corpus/ptx/control.nvcc-sm_80.ptx";

ProgramRun run(const std::string& command, const Words& more) {
  Words words = {command, file, "--kernel", "recursive_fibonacci", "--block", "32", "--arg", "1=10"};
  words.insert(words.end(), more.begin(), more.end());
  return run_warpspan(words);
}

Json bound_of(Words more) {
  more.insert(more.end(), {"--explain", "--format", "json", "--time-limit", "0"});
  const ProgramRun ran = run("analyze", more);
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  return Json::parse(ran.out).at("kernels").at(0).at("bounds").at(0);
}

bool assumes(const Json& bound, const std::string& sentence) {
  const Words all = bound.at("assumptions").get<Words>();
  return std::find(all.begin(), all.end(), sentence) != all.end();
}

// The path of a new file.
std::string with_text(const TemporaryFolder& folder, const std::string& text) {
  std::string path = folder.file(std::to_string(folder.files()) + ".toml");
  write_file(path, text);
  return path;
}

const std::string head = "[[kernel]]\nname = \"recursive_fibonacci\"\n[kernel.recursion]\n";

}  // namespace

TEST_CASE("without a depth a recursive function is refused, with what to write") {
  const ProgramRun refused = run("analyze", {});
  CHECK(refused.status == 3);
  CHECK(contains(refused.err, "recursive call of '_Z9fibonaccii' cannot be bounded"));
  CHECK(contains(refused.err,
                 "help: say how many activations of it a thread has on its stack at the same time at most: --recursion "
                 "_Z9fibonaccii=DEPTH, such as 16, or a line under [kernel.recursion] of a facts file: _Z9fibonaccii = "
                 "16; or rewrite the recursion as a loop\n"));
}

TEST_CASE("the depth of a function, in an option, in a file of facts and in a budget, bounds the kernel") {
  const TemporaryFolder folder;
  const Json option = bound_of({"--recursion", "fibonacci=10"});
  CHECK(assumes(option,
                "At most 10 activations of '_Z9fibonaccii' are on a thread's stack at the same time, and the stack has "
                "room for them (--recursion)."));
  const std::string facts = with_text(folder, head + "fibonacci = 10\n");
  const Json of_file = bound_of({"--facts", facts});
  CHECK(of_file.at("makespan") == option.at("makespan"));
  CHECK(assumes(of_file,
                "At most 10 activations of '_Z9fibonaccii' are on a thread's stack at the same time, and the stack has "
                "room for them (" +
                    facts + ":4)."));
  // At 9 it is larger: there all levels are copies, with code of their own to be fetched.
  CHECK(bound_of({"--recursion", "fibonacci=8"}).at("makespan") < option.at("makespan"));

  const std::string budget =
      with_text(folder, "[[budget]]\nfile = \"" + warpspan::test::source_dir() + "/" + file +
                            "\"\nkernel = \"recursive_fibonacci\"\nblock = 32\nargs = { 1 = 10 }\nrecursion = { "
                            "fibonacci = 10 }\nmax = \"1 s\"\n");
  const ProgramRun checked = run_warpspan({"check", "--budgets", budget});
  INFO(checked.out << checked.err);
  CHECK(checked.status == 0);
}

TEST_CASE("what recursive functions save is said to be counted") {
  const Words all = bound_of({"--recursion", "fibonacci=10"}).at("assumptions").get<Words>();
  CHECK(std::any_of(all.begin(), all.end(), [](const std::string& sentence) {
    return contains(sentence,
                    "No register is spilled beside those that recursive functions, those called by their "
                    "addresses, and what these call save, which count: a thread needs about ");
  }));
}

TEST_CASE("a file of facts asks for the depths that are missing") {
  const TemporaryFolder folder;
  const ProgramRun written = run("facts", {});
  CHECK(written.status == 0);
  CHECK(contains(written.out, "\n[kernel.recursion]\n_Z9fibonaccii = 0  # fibonacci(int)\n"));
  const ProgramRun refused = run("analyze", {"--facts", with_text(folder, written.out)});
  CHECK(refused.status != 0);
  CHECK(contains(refused.err, "error: the depth of '_Z9fibonaccii' is not filled in\n  _Z9fibonaccii = 0"));
  CHECK(contains(refused.err,
                 "help: give the most activations of it that are on a thread's stack at the same time, as "
                 "_Z9fibonaccii = 16\n"));
  const ProgramRun given = run("facts", {"--recursion", "fibonacci=10"});
  CHECK(contains(given.out, "\n[kernel.recursion]\n_Z9fibonaccii = 10  # fibonacci(int)\n"));
  CHECK(run("analyze", {"--time-limit", "0", "--facts", with_text(folder, given.out)}).status == 0);
  const ProgramRun json = run("facts", {"--format", "json"});
  CHECK(Json::parse(json.out).at("kernels").at(0).at("recursion").dump() ==
        R"([{"depth":null,"function":"_Z9fibonaccii"}])");
}

TEST_CASE("depths that are none are refused") {
  const TemporaryFolder folder;
  const auto error = [](const Words& words) { return run("analyze", words).err; };
  CHECK(contains(error({"--recursion", "fibonacci"}),
                 "--recursion: expected NAME=DEPTH with a number from 1, such as fibonacci=16, got 'fibonacci'"));
  CHECK(contains(error({"--recursion", "fibonacci=0"}), "got 'fibonacci=0'"));
  CHECK(contains(error({"--recursion", "f=1", "--recursion", "f=2"}), "--recursion f: given twice"));
  CHECK(contains(error({"--recursion", "f*=3", "--recursion", "fibonacci=2"}),
                 "--recursion: '_Z9fibonaccii' is given two depths: 3 and 2\n  help: leave one of them out"));
  CHECK(contains(error({"--recursion", "fibonacci=9000000000"}),
                 "the activations of '_Z9fibonaccii' have more than 4000000 instructions together"));
  CHECK(contains(error({"--facts", with_text(folder, head + "fibonacci = \"deep\"\n")}),
                 "'fibonacci' of [kernel.recursion] must be an integer"));
}

TEST_CASE("a depth of a function that is not recursive is an error in an option and a warning in a file") {
  const TemporaryFolder folder;
  const ProgramRun option = run("analyze", {"--recursion", "fibonacci=2", "--recursion", "op_add=3"});
  CHECK(option.status != 0);
  CHECK(contains(option.err,
                 "--recursion: no kernel calls a function 'op_add' recursively\n  help: recursive are _Z9fibonaccii"));
  const ProgramRun of_file =
      run("analyze", {"--time-limit", "0", "--facts", with_text(folder, head + "fibonacci = 2\nop_add = 3\n")});
  CHECK(of_file.status == 0);
  CHECK(contains(of_file.err, "warning: no kernel calls a function 'op_add' recursively\n"));
}
