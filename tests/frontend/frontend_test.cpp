// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/frontend.hpp"

#include <catch2/catch.hpp>

using namespace warpspan;

namespace {

std::string kernel(const std::string& name, const std::string& tuning, const std::string& body) {
  return ".visible .entry " + name + "(.param .u64 " + name + "_p, .param .u32 " + name + "_n) " + tuning +
         "\n{\n.reg .pred %p<4>;\n.reg .b32 %r<10>;\n.reg .b64 %rd<10>;\n" + body + "\nret;\n}\n";
}

frontend::Reading read(const std::string& text, const ir::Launch& launch, const std::vector<std::string>& only = {}) {
  const std::string header = ".version 8.0\n.target sm_80\n.address_size 64\n";
  return frontend::read_kernels(std::make_shared<const support::SourceFile>("t.ptx", header + text), only, launch);
}

ir::Launch block_of(int64_t x) {
  ir::Launch launch;
  launch.block = ir::Extent{x, 1, 1};
  return launch;
}

// Counts from 0 to the parameter n.
std::string counting_loop(const std::string& name) {
  return "ld.param.u32 %r1, [" + name +
         "_n];\nmov.u32 %r2, 0;\nL: add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, %r1;\n@%p1 bra L;";
}

std::vector<std::string> messages(const frontend::Reading& reading) {
  std::vector<std::string> result;
  for (const support::Diagnostic& error : reading.errors) result.push_back(error.message);
  return result;
}

using Messages = std::vector<std::string>;

}  // namespace

TEST_CASE("the block comes from the user, or from the file") {
  CHECK(messages(read(kernel("k", "", ""), {})) == Messages{"the block of kernel 'k' is not known"});
  CHECK(read(kernel("k", ".maxntid 128, 2, 1", ""), {}).kernels.at(0).launch.block->y == 2);
  CHECK(read(kernel("k", ".reqntid 64", ""), {}).kernels.at(0).launch.block->x == 64);
  CHECK(read(kernel("k", ".reqntid 64", ""), {}).kernels.at(0).block_from_file);
  CHECK(!read(kernel("k", ".maxntid 128", ""), block_of(32)).kernels.at(0).block_from_file);
}

TEST_CASE("a block that the file rules out is refused") {
  CHECK(messages(read(kernel("k", ".reqntid 64", ""), block_of(128))) ==
        Messages{"kernel 'k' must be launched with blocks of 64, not 128"});
  CHECK(messages(read(kernel("k", ".maxntid 64", ""), block_of(128))) ==
        Messages{"kernel 'k' allows at most 64 threads in a block, not 128"});
}

TEST_CASE("loops that lack a bound for the same value are one error, others one each") {
  const auto loop = [](const std::string& label, const std::string& limit) {
    return "mov.u32 %r2, 0;\n" + label + ": add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, " + limit + ";\n@%p1 bra " +
           label + ";\n";
  };
  const std::string start = "ld.param.u32 %r1, [k_n];\nld.param.u64 %rd1, [k_p];\nld.global.u32 %r3, [%rd1];\n";
  const auto errors = [&](const std::string& loops) {
    return messages(read(kernel("k", "", start + loops), block_of(32)));
  };
  const auto of = [](const std::string& label, const std::string& value) {
    return "no bound for the loop '" + label + "' of kernel 'k': its exit test depends on " + value;
  };
  const std::string n = "parameter 'k_n', whose value is not known", loaded =
                                                                         "an element of the array of parameter "
                                                                         "'k_p', loaded in line 11";
  CHECK(errors(loop("A", "%r1") + loop("B", "%r1")) == Messages{of("A", n) + "; so does that of another loop"});
  CHECK(errors(loop("A", "%r3") + loop("B", "%r1") + loop("C", "%r3") + loop("D", "%r1") + loop("E", "%r1")) ==
        Messages{of("A", loaded), of("B", n) + "; so do those of 2 other loops", of("C", loaded)});
}

TEST_CASE("loop bounds: found, given, or asked for") {
  const std::string text = kernel("k", "", counting_loop("k"));
  const frontend::Reading unknown = read(text, block_of(32));
  REQUIRE(unknown.errors.size() == 1);
  CHECK(unknown.kernels.empty());
  CHECK(unknown.errors[0].location.line == 11);
  CHECK(unknown.errors[0].message.find("no bound for the loop 'L' of kernel 'k'") == 0);
  CHECK(unknown.errors[0].help ==
        "bind what it depends on ({argument} k_n=VALUE), give its bound ({loop_bound} L=N: the most times the code at "
        "the "
        "label runs each time the loop is entered), or compile with a bound that is a constant");
  ir::Launch argument = block_of(32);
  argument.arguments.push_back({"k_n", "100"});
  CHECK(read(text, argument).kernels.at(0).flow.loops.at(0).trip_count == 100);
  CHECK(read(text, argument).kernels.at(0).flow.loops.at(0).source == ir::TripCountSource::scalar_evolution);
  ir::Launch given = block_of(32);
  given.loop_bounds.push_back({"L", 7});
  CHECK(read(text, given).kernels.at(0).flow.loops.at(0).trip_count == 7);
  CHECK(read(text, given).kernels.at(0).flow.loops.at(0).source == ir::TripCountSource::user);
}

TEST_CASE("an error for a loop names the options that help with it") {
  const auto help = [](const std::string& body) {
    const frontend::Reading reading = read(kernel("k", "", body), block_of(32));
    REQUIRE(reading.errors.size() == 1);
    const std::string& text = reading.errors[0].help;
    return text.substr(0, text.find(" ({loop_bound}"));
  };
  CHECK(help("ld.param.u32 %r1, [k_n];\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %nctaid.x;\nL: add.s32 %r2, %r2, %r3;\n"
             "setp.lt.s32 %p1, %r2, %r1;\n@%p1 bra L;") ==
        "bind what it depends on ({argument} k_n=VALUE, {grid} X), give its bound");
  // Nothing of the launch would help here.
  CHECK(help("ld.param.u64 %rd1, [k_p];\nL: ld.global.u32 %r1, [%rd1];\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra L;") ==
        "give its bound");
  // Where a row ends stands in memory, but it cannot be longer than the array.
  CHECK(help("ld.param.u64 %rd1, [k_p];\nL: ld.global.u32 %r1, [%rd1];\nadd.s64 %rd1, %rd1, 4;\nsetp.ne.s32 %p1, %r1, "
             "0;\n@%p1 bra L;") ==
        "give the size of an array that it goes through ({buffer} k_p=BYTES: it runs as often as steps fit in), give "
        "its bound");
}

TEST_CASE("a user's loop bound beside one that is proven") {
  const std::string text = kernel("k", "", counting_loop("k"));
  const auto bounded = [&](int64_t trips) {
    ir::Launch launch = block_of(32);
    launch.arguments.push_back({"k_n", "100"});
    launch.loop_bounds.push_back({.label = "L", .trip_count = trips, .origin = {"--loop-bound"}});
    return read(text, launch);
  };
  for (const int64_t trips : {1, 7, 99}) {
    const frontend::Reading reading = bounded(trips);
    CHECK(messages(reading) == Messages{"--loop-bound L=" + std::to_string(trips) +
                                        " cannot be true: the loop 'L' of kernel 'k' runs 100 times where it is "
                                        "entered"});
    CHECK(reading.errors.at(0).location.line == 11);
    CHECK(reading.errors.at(0).cause == support::Cause::input);
  }
  for (const int64_t trips : {100, 101}) {
    const ir::Loop loop = bounded(trips).kernels.at(0).flow.loops.at(0);
    CHECK(loop.trip_count == 100);
    CHECK(loop.source == ir::TripCountSource::scalar_evolution);
  }
}

TEST_CASE("that no assertion fails is an assumption of kernels that have any") {
  const std::string declaration = ".extern .func __assertfail(.param .b64 text);\n";
  const auto analyzed = [&](const std::string& body) {
    frontend::Reading reading = read(declaration + kernel("k", "", body), block_of(32));
    REQUIRE(messages(reading) == Messages{});
    return std::move(reading.kernels.at(0));
  };
  const std::string body = "mov.u32 %r1, %tid.x;\nsetp.lt.s32 %p1, %r1, 9;\n@%p1 bra L;\n";
  CHECK(analyzed(body + "L:").assumptions.empty());
  const auto asserts = analyzed(body + "call __assertfail, (%rd1);\nL: add.s32 %r2, %r1, 1;");
  REQUIRE(asserts.assumptions.size() == 1);
  CHECK(asserts.assumptions[0].rfind("No assertion fails", 0) == 0);
}

TEST_CASE("a user's loop bound in code that this launch does not reach") {
  const std::string body =
      "ld.param.u32 %r1, [k_n];\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra E;\nmov.u32 %r2, 0;\nL: add.s32 %r2, %r2, 1;\n"
      "setp.lt.s32 %p1, %r2, 10;\n@%p1 bra L;\nE:";
  ir::Launch launch = block_of(32);
  launch.loop_bounds.push_back({"L", 3});
  CHECK(messages(read(kernel("k", "", body), launch)).size() == 1);
  launch.arguments.push_back({"k_n", "0"});
  const frontend::Reading reading = read(kernel("k", "", body), launch);
  CHECK(messages(reading) == Messages{});
  CHECK(reading.kernels.at(0).flow.loops.at(0).trip_count == 1);
  CHECK(reading.kernels.at(0).flow.loops.at(0).source == ir::TripCountSource::not_entered);
}

TEST_CASE("copies of a loop in a function that is called are held against a user's bound one by one") {
  const std::string text =
      ".func f(.reg .b32 %count)\n{\n.reg .pred %p;\n.reg .b32 %i;\nmov.u32 %i, 0;\nF: add.s32 %i, %i, 1;\n"
      "setp.lt.s32 %p, %i, %count;\n@%p bra F;\nret;\n}\n" +
      kernel("k", "", "call f, (7);\nld.param.u32 %r1, [k_n];\ncall f, (%r1);");
  const auto bounded = [&](int64_t trips) {
    ir::Launch launch = block_of(32);
    launch.loop_bounds.push_back({"F", trips});
    return read(text, launch);
  };
  CHECK(messages(bounded(5)).size() == 1);
  const frontend::Reading reading = bounded(9);
  REQUIRE(reading.kernels.size() == 1);
  const std::vector<ir::Loop>& loops = reading.kernels[0].flow.loops;
  REQUIRE(loops.size() == 2);
  CHECK(loops[0].trip_count == 7);
  CHECK(loops[0].source == ir::TripCountSource::scalar_evolution);
  CHECK(loops[1].trip_count == 9);
  CHECK(loops[1].source == ir::TripCountSource::user);
}

TEST_CASE("bounds and arguments that fit nothing") {
  ir::Launch launch = block_of(32);
  launch.loop_bounds.push_back({"M", 7});
  CHECK(read(kernel("k", "", counting_loop("k")), launch).uses.empty());
  launch = block_of(32);
  launch.arguments.push_back({"other", "1"});
  CHECK(messages(read(kernel("k", "", ""), launch)) == Messages{"kernel 'k' has no parameter 'other'"});
  CHECK(messages(read(".func f() { ret; }\n", block_of(32))) ==
        Messages{"the file has no kernel (.entry with a body)"});
}

TEST_CASE("an argument of one kernel of several is that kernel's") {
  ir::Launch launch = block_of(32);
  launch.arguments = {{"a_n", "3"}, {"b_n", "5"}};
  const frontend::Reading reading =
      read(kernel("a", "", counting_loop("a")) + kernel("b", "", counting_loop("b")), launch);
  CHECK(messages(reading) == Messages{});
  REQUIRE(reading.kernels.size() == 2);
  CHECK(reading.kernels[0].flow.loops.at(0).trip_count == 3);
  CHECK(reading.kernels[1].flow.loops.at(0).trip_count == 5);
}

TEST_CASE("a kernel that cannot be read does not take the others with it") {
  const frontend::Reading reading = read(kernel("a", "", counting_loop("a")) + kernel("b", "", ""), block_of(32));
  CHECK(reading.errors.size() == 1);
  REQUIRE(reading.kernels.size() == 1);
  CHECK(reading.kernels[0].kernel.name == "b");
}
