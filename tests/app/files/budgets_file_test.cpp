// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/budgets_file.hpp"

#include <catch2/catch.hpp>

using namespace warpspan;
using namespace warpspan::app;

namespace {

std::vector<Budget> read(const std::string& text) {
  const auto budgets = parse_budgets("gate/budgets.toml", text);
  std::string errors;
  if (!budgets) {
    for (const auto& error : budgets.errors()) errors += render(error, false);
  }
  INFO(text << errors);
  REQUIRE(budgets);
  return *budgets;
}

// "line:column: message | help" of each error.
std::string errors_of(const std::string& text) {
  const auto budgets = parse_budgets("budgets.toml", text);
  if (budgets) return "no error";
  std::string all;
  for (const support::Diagnostic& error : budgets.errors()) {
    CHECK(error.cause == support::Cause::usage);
    all += std::to_string(error.location.line) + ":" + std::to_string(error.location.column) + ": " + error.message +
           (error.help.empty() ? "" : " | " + error.help) + "\n";
  }
  return all;
}

// The text with new times in all places.
std::string updated(const std::string& text, const std::string& time) {
  std::vector<NewValue> values;
  for (const Budget& budget : read(text)) values.push_back({budget.time_place, '"' + time + '"'});
  return with_values(text, values);
}

}  // namespace

TEST_CASE("all keys of a budget are read") {
  const std::vector<Budget> budgets = read(R"([[budget]]
kernel = "reduce<512>"
file = ["k.ptx", "/build/*.ptx"]
label = "large"
machine = "A100"
block = [16, 8]
grid = "64,2,1"
args = { n = 100, 0 = "0xff", "s+8:4" = -1 }
globals = { N = "1..8", "table[3]" = "u32:7" }
trust_initialisers = true
buffers = { n = 4096, m = "2MB" }
loop_bounds = { "$L__BB0_3" = 64, "kernel.cu:42" = 16 }
assume = ["no-spills", "warm-code,keeps-code"]
facts = "facts.toml"
registers = 32
shared = "1K"
model = "pipeline"
max = "80 us"
expect = "20.5 us"
expect_tolerance = "2.5%"
max_registers = 64
max_spill = 0
max_stack = 8
max_shared = 4096
)");
  REQUIRE(budgets.size() == 1);
  const Budget& budget = budgets.front();
  CHECK(budget.at.file == "gate/budgets.toml");
  CHECK(budget.at.line == 1);
  CHECK(budget.line == "[[budget]]");
  CHECK(budget.kernel == "reduce<512>");
  CHECK(budget.files == std::vector<std::string>{"k.ptx", "/build/*.ptx"});
  CHECK(budget.folder == "gate");
  CHECK(budget.label == "large");
  CHECK(budget.machine == "A100");
  CHECK(budget.facts == "gate/facts.toml");
  CHECK(budget.launch.block->x == 16);
  CHECK(budget.launch.block->y == 8);
  CHECK(budget.launch.grid->x == 64);
  CHECK(budget.launch.grid->y == 2);
  REQUIRE(budget.launch.arguments.size() == 3);
  CHECK(budget.launch.arguments[0].parameter == "n");
  CHECK(budget.launch.arguments[0].value == "100");
  CHECK(budget.launch.arguments[1].value == "0xff");
  CHECK(budget.launch.arguments[2].bytes->offset == 8);
  REQUIRE(budget.launch.globals.size() == 2);
  CHECK(budget.launch.globals[0].value == "1..8");
  CHECK(budget.launch.globals[0].origin.location.line == 9);
  CHECK(budget.launch.globals[1].element == 3);
  CHECK(budget.launch.trust_initialisers);
  REQUIRE(budget.launch.buffers.size() == 2);
  CHECK(budget.launch.buffers[0].bytes == 4096);
  CHECK(budget.launch.buffers[1].parameter == "m");
  CHECK(budget.launch.buffers[1].bytes == 2 << 20);
  CHECK(budget.launch.buffers[1].origin.location.line == 11);
  REQUIRE(budget.launch.loop_bounds.size() == 2);
  CHECK(budget.launch.loop_bounds[0].trip_count == 64);
  CHECK(budget.launch.loop_bounds[0].origin.location.line == 12);
  CHECK(budget.launch.loop_bounds[1].line == 42);
  CHECK(budget.assumed.has(timing::Assumption::no_spills));
  CHECK(budget.assumed.has(timing::Assumption::keeps_code));
  CHECK_FALSE(budget.assumed.has(timing::Assumption::keeps_constants));
  CHECK(budget.launch.registers == 32);
  CHECK(budget.launch.dynamic_shared == 1024);
  CHECK(budget.time->text == "80 us");
  CHECK(budget.expected->text == "20.5 us");
  CHECK(budget.tolerance.text == "2.5%");
  CHECK(budget.most[2]->most == 64);
  CHECK(budget.most[3]->most == 0);
  CHECK(budget.most[4]->most == 8);
  CHECK(budget.most[5]->most == 4096);
}

TEST_CASE("a launch has keys before its entry, and that before the defaults") {
  const std::vector<Budget> budgets = read(R"([defaults]
machine = "my.toml"
block = 128
max = "1 ms"
[[budget]]
kernel = "a"
[[budget]]
kernel = "b"
machine = "orin"
grid = 4
launches = [
  { block = 256 },
  { label = "small", max = "5 us", machine = "ampere" },
]
)");
  REQUIRE(budgets.size() == 3);
  CHECK(budgets[0].machine == "gate/my.toml");
  CHECK(budgets[0].launch.block->x == 128);
  CHECK_FALSE(budgets[0].launch.grid);
  CHECK(budgets[1].kernel == "b");
  CHECK(budgets[1].machine == "orin");
  CHECK(budgets[1].launch.block->x == 256);
  CHECK(budgets[1].time->text == "1 ms");
  CHECK(budgets[1].at.line == 12);
  CHECK(budgets[2].machine == "ampere");
  CHECK(budgets[2].label == "small");
  CHECK(budgets[2].launch.block->x == 128);
  CHECK(budgets[2].launch.grid->x == 4);
  CHECK(budgets[2].time->text == "5 us");
}

TEST_CASE("a budget says how its files are read") {
  const auto budgets = read(
      "[defaults]\nassemble = \"ptxas -O3 '-a b'\"\n[[budget]]\nkernel = \"a\"\narch = \"sm_80\"\n"
      "[[budget]]\nkernel = \"b\"\nassemble = \"as\"\nflags = \"-O1 -mcpu=sm_90\"\n");
  const std::vector<std::string> words = {"ptxas", "-O3", "-a b"}, flags = {"-O1", "-mcpu=sm_90"};
  CHECK(budgets.at(0).compilation.assembler == words);
  CHECK(budgets.at(0).compilation.target == "sm_80");
  CHECK(budgets.at(1).compilation.assembler == std::vector<std::string>{"as"});
  CHECK(budgets.at(1).compilation.flags == flags);
  CHECK(errors_of("[[budget]]\nkernel = \"a\"\nassemble = 1\n") == "3:12: 'assemble' must be a text, not an integer\n");
}

TEST_CASE("a budget grants whatever --assume does") {
  std::string all;
  for (const std::string_view name : timing::assumption_names()) {
    const std::string text(name);
    const Budget one = read("[[budget]]\nkernel = \"a\"\nassume = \"" + text + "\"\n").at(0);
    CHECK(one.assumed.has(*timing::assumption_named(name)));
    all += (all.empty() ? "\"" : ", \"") + text + "\"";
  }
  const Budget budget = read("[[budget]]\nkernel = \"a\"\nassume = [" + all + "]\n").at(0);
  for (const std::string_view name : timing::assumption_names()) {
    CHECK(budget.assumed.has(*timing::assumption_named(name)));
  }
  CHECK(errors_of("[[budget]]\nkernel = \"a\"\nassume = [\"no-spils\"]\n") ==
        "3:10: 'assume': nothing is called 'no-spils' | did you mean 'no-spills'?\n");
}

TEST_CASE("errors of budgets files stand at their places, each once") {
  CHECK(
      errors_of("[defaults]\nblok = 4\nblock = 0\n[[budget]]\nkernel = \"a\"\n[[budget]]\nkernel = \"b\"\nmax = 5\n") ==
      "2:1: unknown key 'blok' in [defaults] | did you mean 'block'?\n"
      "3:9: 'block': expected X[,Y[,Z]] with numbers from 1, got '0'\n"
      "8:7: 'max' has no unit | write max = \"5 cycles\", \"5 us\" or another unit of time\n");
  CHECK(errors_of("[[budget]]\nmax = \"1 us\"\n") ==
        "1:1: the budget names no kernel | write kernel = \"NAME\", or \"*\" for all\n");
  CHECK(errors_of("[[budget]]\nkernel = \"a\"\nblock = [1, 2, 3, 4]\nargs = 5\nassume = []\nfile = \"-\"\n") ==
        "3:9: 'block': expected X[,Y[,Z]] with numbers from 1, got '1,2,3,4'\n"
        "4:8: 'args' must be a table, not an integer | write args = { NAME = 100 }\n"
        "5:10: 'assume' must not be empty\n"
        "6:8: 'file' cannot be standard input | give a file, a pattern or a folder\n");
  CHECK(errors_of("[[budget]]\nkernel = \"a\"\nlaunches = [{ kernel = \"b\" }, 5]\n") ==
        "3:15: unknown key 'kernel' in a launch | known are arch, args, assemble, assume, block, buffers, calls, "
        "expect, expect_tolerance, facts, flags, globals, grid, interference, label, loop_bounds, machine, max, "
        "max_constant, max_registers, max_shared, "
        "max_spill, "
        "max_stack, model, "
        "recursion, registers, shared, trust_initialisers or waits\n"
        "3:31: a launch must be a table, not an integer\n");
  CHECK(errors_of("[[budget]]\nkernel = \"a\\u001b\"\n").rfind("2:10: a control character", 0) == 0);
  CHECK(errors_of("[[budget]]\nkernel = \"a\"\nkernel = \"b\"\n").find("not a TOML file: ") != std::string::npos);
  CHECK(errors_of("[[budget]]\nkernel = \"a\"\nblock = \"100000,100000\"\n") ==
        "3:9: 'block' has more than 2147483647 threads\n");
  CHECK(errors_of("") ==
        "1:1: the file has no budget | write an entry: [[budget]], kernel = \"NAME\" and max = \"80 us\"\n");
}

TEST_CASE("new times leave everything else as it stands") {
  CHECK(updated("# head\r\n[[budget]] # one\r\n  kernel = 'a'   # name\r\n  max='1 us'# old\r\n", "2 us") ==
        "# head\r\n[[budget]] # one\r\n  kernel = 'a'   # name\r\n  max=\"2 us\"# old\r\n");
  CHECK(updated("[[budget]]\nkernel = \"\u00e9\u00b5\" # \u00e9\n", "2 us") ==
        "[[budget]]\nkernel = \"\u00e9\u00b5\" # \u00e9\nmax = \"2 us\"\n");
  CHECK(updated("[[budget]]\nkernel = \"a\"", "2 us") == "[[budget]]\nkernel = \"a\"\nmax = \"2 us\"");
  CHECK(updated("[[budget]]\r\n\tkernel = \"a\"\r\n\tblock = 4\r\n", "2 us") ==
        "[[budget]]\r\n\tkernel = \"a\"\r\n\tmax = \"2 us\"\r\n\tblock = 4\r\n");
  CHECK(updated("[[budget]]\nkernel = \"\"\"\na\"\"\" # x\nblock = 4\n", "2 us") ==
        "[[budget]]\nkernel = \"\"\"\na\"\"\" # x\nmax = \"2 us\"\nblock = 4\n");
  CHECK(updated("budget = [{ kernel = \"a\" }, {kernel=\"b\"}, {kernel = \"\u00b5\", max = \"3 \u00b5s\" }] # all\n",
                "2 us") ==
        "budget = [{ max = \"2 us\", kernel = \"a\" }, {max = \"2 us\", kernel=\"b\"}, {kernel = \"\u00b5\", max = \"2 "
        "us\" "
        "}] # all\n");
  CHECK(updated("[[budget]]\nkernel = \"a\"\nlaunches = [{}, { }, { grid = 4 }] # three\n", "2 us") ==
        "[[budget]]\nkernel = \"a\"\nlaunches = [{max = \"2 us\"}, { max = \"2 us\" }, { max = \"2 us\", grid = 4 }] # "
        "three\n");
  CHECK(updated("[[budget]]\nkernel = \"a\"\n[[budget.launches]] # first\ngrid = 4\n[[budget.launches]]\ngrid = 8\n",
                "2 us") ==
        "[[budget]]\nkernel = \"a\"\n[[budget.launches]] # first\nmax = \"2 us\"\ngrid = 4\n[[budget.launches]]\nmax = "
        "\"2 us\"\n"
        "grid = 8\n");
  // A default stays one.
  CHECK(updated("[defaults]\nmax = \"1 s\"\n[[budget]]\nkernel = \"a\"\n", "2 us") ==
        "[defaults]\nmax = \"1 s\"\n[[budget]]\nkernel = \"a\"\nmax = \"2 us\"\n");
}

TEST_CASE("an expected time has a tolerance, 5 % unless it is given") {
  const std::string entry = "[[budget]]\nkernel = \"k\"\n";
  CHECK(read(entry + "expect = \"20 us\"\n").front().tolerance.text == "5%");
  CHECK(read(entry + "expect = \"20 us\"\n").front().has_limit());
  CHECK(errors_of(entry + "expect_tolerance = \"5%\"\n") ==
        "3:20: 'expect_tolerance' goes with 'expect' | write expect = \"20 us\", or leave it out\n");
  CHECK(errors_of(entry + "expect = 20\n").find("'expect' has no unit") != std::string::npos);
  CHECK(errors_of(entry + "expect = \"20 us\"\nexpect_tolerance = \"5\"\n").find("expected a percentage") !=
        std::string::npos);
}
