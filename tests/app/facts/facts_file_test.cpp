// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/facts/facts_file.hpp"

#include <catch2/catch.hpp>

#include "app/facts/code_changes.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

const std::string hash(64, 'a');

// "line:column message" of each error, one per line.
std::string errors_of(const std::string& text) {
  const auto facts = parse_facts("f.toml", text);
  if (facts) return "no error";
  std::string all;
  for (const support::Diagnostic& error : facts.errors()) {
    CHECK(error.cause == support::Cause::usage);
    CHECK(error.location.file == "f.toml");
    all +=
        std::to_string(error.location.line) + ":" + std::to_string(error.location.column) + " " + error.message + "\n";
  }
  return all;
}

std::string loop(const std::string& keys) { return "[[kernel]]\nname = \"k\"\n[[kernel.loop]]\n" + keys; }

}  // namespace

TEST_CASE("a file of facts with every key") {
  const auto facts = parse_facts("f.toml", R"(schema = "warpspan.facts/1"
[[kernel]]
name = "reduce<512>"
sha256 = ")" + hash + R"("
instructions = 7
parameters = ["u64 p", "u32 n"]
loops = ["L k.cu:3"]
[[kernel.loop]]
at = "k.cu:3"
trip_count = 64
[[kernel.loop]]
at = "$L_9"
trip_count = 9223372036854775807
[kernel.args]
n = 5
"p+8:4" = "0xff"
m = "1..4096"
"p+12" = "s16:-4..7"
[kernel.globals]
N = "1..8"
"table[3]" = "u32:7"
[kernel.buffers]
p = 4096
q = "4MB"
[[kernel]]
name = "*"
)");
  REQUIRE(facts);
  REQUIRE(facts->size() == 2);
  const KernelFacts& own = facts->front();
  CHECK(own.kernel == "reduce<512>");
  CHECK(own.code->sha256 == hash);
  CHECK(own.code->instructions == 7);
  CHECK(own.code->parameters == std::vector<std::string>{"u64 p", "u32 n"});
  CHECK(own.code->loops == std::vector<std::string>{"L k.cu:3"});
  REQUIRE(own.launch.loop_bounds.size() == 2);
  CHECK(ir::place_of(own.launch.loop_bounds[0]) == "reduce<512>:k.cu:3");
  CHECK(own.launch.loop_bounds[0].trip_count == 64);
  CHECK(ir::to_string(own.launch.loop_bounds[0].origin) == "f.toml:10");
  CHECK(own.launch.loop_bounds[0].origin.line == "trip_count = 64");
  CHECK(own.launch.loop_bounds[1].trip_count == INT64_MAX);
  REQUIRE(own.launch.arguments.size() == 4);
  CHECK(own.launch.arguments[0].parameter == "m");  // in the order of their names
  CHECK(own.launch.arguments[0].value == "1..4096");
  CHECK(own.launch.arguments[1].parameter == "n");
  CHECK(own.launch.arguments[1].value == "5");
  CHECK(own.launch.arguments[1].kernel == "reduce<512>");
  CHECK(own.launch.arguments[1].origin.is_file());
  CHECK(own.launch.arguments[2].bytes->offset == 12);
  CHECK(own.launch.arguments[2].bytes->count == 2);
  CHECK(own.launch.arguments[2].value == "-4..7");
  CHECK(own.launch.arguments[3].bytes->offset == 8);
  REQUIRE(own.launch.globals.size() == 2);
  CHECK(own.launch.globals[0].parameter == "N");
  CHECK(own.launch.globals[0].value == "1..8");
  CHECK(own.launch.globals[0].kernel == "reduce<512>");
  CHECK(own.launch.globals[1].element == 3);
  CHECK(own.launch.globals[1].bytes->count == 4);
  REQUIRE(own.launch.buffers.size() == 2);
  CHECK(own.launch.buffers[0].bytes == 4096);
  CHECK(own.launch.buffers[1].bytes == 4 << 20);
  CHECK(!facts->back().code);
}

TEST_CASE("a loop of a file of facts may have the time that it waits, in place of iterations or beside them") {
  const auto facts = parse_facts("f.toml", loop("at = \"L\"\nwait = \"1.5 us\"\n") +
                                               "[[kernel.loop]]\nat = \"M\"\ntrip_count = 9\nwait = \"7ns\"\n");
  REQUIRE(facts);
  const auto& bounds = facts->front().launch.loop_bounds;
  REQUIRE(bounds.size() == 3);
  CHECK(bounds[0].wait == 1500);
  CHECK(bounds[0].kernel == "k");
  CHECK(ir::to_string(bounds[0].origin) == "f.toml:5");
  CHECK(bounds[1].wait == 7);
  CHECK(bounds[2].trip_count == 9);
  CHECK_FALSE(bounds[2].wait);
  for (const std::string time : {"2", "0 us", "2 hours", "us", "-1 us"}) {
    INFO(time);
    CHECK(errors_of(loop("at = \"L\"\nwait = \"" + time + "\"\n")) == "5:8 '" + time + "' is no time\n");
  }
  CHECK(errors_of(loop("at = \"L\"\nwait = \"\"\n")) == "5:8 'wait' must not be empty\n");
}

TEST_CASE("errors of a file of facts stand where they are") {
  CHECK(errors_of("[[kernel") != "no error");
  CHECK(errors_of("schema = 1") == "1:10 'schema' must be \"warpspan.facts/1\"\n");
  CHECK(errors_of("kernels = 1") == "1:1 unknown key 'kernels' in the file of facts\n");
  CHECK(errors_of("[kernel]\nname = \"k\"") == "1:1 'kernel' must be an array of tables\n");
  CHECK(errors_of("[[kernel]]\n") == "1:1 missing key 'name' in [[kernel]]\n");
  CHECK(errors_of("[[kernel]]\nname = 3") == "2:8 'name' must be a text, not an integer\n");
  CHECK(errors_of("[[kernel]]\nname = \"k\"\nsha256 = \"abc\"") ==
        "3:10 'sha256' must have 64 hexadecimal digits in small letters\n");
  CHECK(errors_of("[[kernel]]\nname = \"k\\u001b[2J\"") != "no error");
  CHECK(errors_of(loop("")) ==
        "3:1 missing key 'at' in [[kernel.loop]]\n3:1 missing key 'trip_count' in [[kernel.loop]]\n");
  CHECK(errors_of(loop("at = \"L\"\ntrip_count = 0")) == "5:14 the trip count of the loop at 'L' is not filled in\n");
  CHECK(errors_of(loop("at = \"L\"\ntrip_count = -1")) ==
        "5:14 'trip_count' must be between 0 and 9223372036854775807\n");
  CHECK(errors_of(loop("at = \"L\"\ntrip_count = \"5\"")) == "5:14 'trip_count' must be an integer, not a text\n");
  CHECK(errors_of(loop("at = \"L\"\ntrip_count = 5.0")) ==
        "5:14 'trip_count' must be an integer, not a number with a fraction\n");
  CHECK(errors_of(loop("at = \"j:L\"\ntrip_count = 5")) == "4:6 'j:L' is no place of a loop\n");
  CHECK(errors_of(loop("at = \"\"\ntrip_count = 5")) == "4:6 'at' must not be empty\n");
  CHECK(errors_of(loop("at = \"L\"\ntrip_count = 5\n[[kernel.loop]]\nat = \"L\"\ntrip_count = 5")) ==
        "7:6 'L' has a trip count above\n");
  CHECK(errors_of(loop("at = \"line:9\"\ntrip_count = 5")) == "no error");
  CHECK(errors_of("[[kernel]]\nname = \"k\"\nsha256 = \"" + hash +
                  "\"\n[[kernel.loop]]\nat = \"line:9\"\ntrip_count = 5") ==
        "5:6 'line:9' may be another loop by now: 'sha256' does not tell where the code stands\n");
  CHECK(errors_of("[[kernel]]\nname = \"k\"\nsha256 = \"" + hash +
                  "\"\n[[kernel.loop]]\nat = \"k.cu:9\"\ntrip_count = 5") ==
        "5:6 'k.cu:9' may be another loop by now: 'sha256' does not tell source lines\n");
  CHECK(errors_of(loop("at = \"L\"\ntrip_count = 5\ntrips = 5")) == "6:1 unknown key 'trips' in [[kernel.loop]]\n");
  CHECK(errors_of("[[kernel]]\nname = \"k\"\n[kernel.args]\nn = 1.5\n\"+3\" = 1\nm = \"x\"") ==
        "4:5 'n' of [kernel.args] must be an integer, or a text with one\n5:1 '+3' of [kernel.args] is no parameter\n"
        "6:5 'm' of [kernel.args]: 'x' is neither an integer nor a range of them\n");
  CHECK(errors_of("[[kernel]]\nname = \"k\"\n[kernel.args]\n\"s+8\" = 5\nn = \"4..1\"\nm = \"u8:256\"") ==
        "4:9 's+8' of [kernel.args]: how many bytes of 's' are given is not said\n"
        "5:5 'n' of [kernel.args]: the range 4..1 is empty\n"
        "6:5 'm' of [kernel.args]: 256 is no value of type u8\n");
  CHECK(errors_of("[[kernel]]\nname = \"k\"\n[kernel.globals]\nN = true\n\"t[x]\" = 1\n\"t+4\" = 2") ==
        "4:5 'N' of [kernel.globals] must be an integer, or a text with one\n"
        "5:1 't[x]' of [kernel.globals] is no variable\n"
        "6:9 't+4' of [kernel.globals]: how many bytes of 't' are given is not said\n");
  CHECK(errors_of("[[kernel]]\nname = \"k\"\n[kernel.buffers]\nn = 0") ==
        "4:5 'n' of [kernel.buffers] must be between 1 and 9223372036854775807\n");
  CHECK(errors_of("[[kernel]]\nname = \"k\"\n[kernel.buffers]\nm = \"0M\"\nn = \"4 MB\"") ==
        "4:5 'm' of [kernel.buffers] must be a number of bytes, or a text as \"64MB\"\n"
        "5:5 'n' of [kernel.buffers] must be a number of bytes, or a text as \"64MB\"\n");
}

TEST_CASE("what has changed in the code of a kernel") {
  ir::KernelCode code;
  code.instructions = 9;
  code.parameters = {{"p", "u64", 8, true}, {"n", "u32", 4, true}};
  const auto add = [&code](const std::string& label, uint32_t line) {
    ir::Loop found;
    found.label = label;
    found.source_line = line;
    found.source_file = line == 0 ? "" : "/src/k.cu";
    if (!code.loops) code.loops.emplace();
    code.loops->push_back(found);
  };
  add("A", 3);
  add("B", 5);
  add("C", 0);
  ExpectedCode expected;
  using Changes = std::vector<std::string>;
  CHECK(code_changes(expected, code).empty());
  expected.instructions = 9;
  expected.parameters = {"u64 p", "u32 n"};
  expected.loops = {"A k.cu:3", "B k.cu:5", "C"};
  CHECK(code_changes(expected, code).empty());
  expected.instructions = 8;
  expected.parameters = {"u32 n", "u64 p"};
  expected.loops = {"A k.cu:2", "D k.cu:5", "E", "C"};
  CHECK(code_changes(expected, code) == Changes{"it has 9 instructions, not 8", "its parameters have another order",
                                                "the loop A moved from k.cu:2 to k.cu:3",
                                                "the loop D of k.cu:5 is called B now", "the loop E is gone"});
  expected = {};
  expected.parameters = {"u64 p"};
  expected.loops = {"A k.cu:3", "C"};
  CHECK(code_changes(expected, code) == Changes{"the parameter u32 n is new", "the loop B k.cu:5 is new"});
}
