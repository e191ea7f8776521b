// What the interpreter of machine code refuses, and how lanes part and come together.
#include "tests/machine_code/interpreter/interpreter.hpp"

#include <catch2/catch.hpp>

#include "tests/machine_code/interpreter/convergence.hpp"

using namespace warpspan;
using machine_code::Convergence;
using sass::Word;

namespace {

// sm_80. Words of kernels of ours.
constexpr Word exit_word{0x000000000000794d, 0x000fea0003800000};
constexpr Word self_branch{0xfffffff000007947, 0x000fc0000383ffff};
constexpr Word lane_number{0x0000000000047919, 0x000e220000000000};     // S2R R4, SR_LANEID
constexpr Word load_word{0x0000000002007984, 0x000e220000000800};       // LDS R0, [R2]
constexpr Word arrive_word{0x00000000ff0079b0, 0x001fe20008000a06};     // ARRIVES [UR6]
constexpr Word parameter_word{0x00005a0000027a02, 0x000fe40000000f00};  // MOV R2, c[0x0][0x168]
constexpr Word block_barrier{0x0000000000007b1d, 0x000fec0000010000};   // BAR.SYNC 0x0
constexpr Word move_odd{0x0000000100027802, 0x000fe20000000f00};        // MOV R2, 0x1

support::Result<machine_code::Record> run(const std::vector<Word>& words, machine_code::Launch launch = {}) {
  std::string code;
  for (const Word& word : words) {
    for (const uint64_t half : {word.low, word.high}) {
      for (int byte = 0; byte < 8; ++byte) code += static_cast<char>(half >> (8 * byte) & 0xff);
    }
  }
  object::Cubin cubin;
  cubin.architecture.number = 80;
  cubin.functions.emplace_back().name = "k";
  cubin.functions.back().code = code;
  const auto program = machine_code::prepare(cubin, "k");
  REQUIRE(program);
  if (launch.block.x == 0) launch.block = {32, 1, 1};
  launch.grid = {1, 1, 1};
  reference::Memory global(1);
  return machine_code::execute(*program, launch, global);
}

std::string error_of(const support::Result<machine_code::Record>& result) {
  REQUIRE_FALSE(result);
  return result.errors().front().message;
}

}  // namespace

TEST_CASE("machine code: what cannot be executed is an error that names the instruction") {
  CHECK(run({exit_word}));
  CHECK(error_of(run({arrive_word, exit_word})).find("ARRIVES [UR6]") == 0);
  CHECK(error_of(run({arrive_word, exit_word})).find("at 0x0: this instruction is not known here") !=
        std::string::npos);
  CHECK(error_of(run({parameter_word, exit_word})) ==
        "MOV R2, c[0x0][0x168] at 0x0: nobody said what is in c[0][0x168]");
  CHECK(error_of(run({move_odd, load_word, exit_word})).find("at 0x10: an access that is not aligned") !=
        std::string::npos);
  CHECK(error_of(run({lane_number})) == "the warp runs over the end of the code");
}

TEST_CASE("machine code: an endless loop ends at the limit") {
  machine_code::Launch launch;
  launch.most_steps = 1000;
  CHECK(error_of(run({self_branch}, launch)) == "more steps than allowed");
}

TEST_CASE("machine code: a function that is not there") { CHECK_FALSE(machine_code::prepare(object::Cubin(), "k")); }

TEST_CASE("machine code: warps wait for each other, and not for those that have ended") {
  machine_code::Launch launch;
  launch.block = {70, 1, 1};
  const auto record = run({block_barrier, exit_word}, launch);
  REQUIRE(record);
  REQUIRE(record->warps.size() == 3);
  for (const reference::WarpRecord& warp : record->warps) CHECK(warp.executed == std::vector<int64_t>{1, 1});
}

TEST_CASE("machine code: lanes wait at a barrier register for those that were there, but those that left it or ended") {
  reference::Random random(1);
  const auto order = reference::Order::taken_first;
  Convergence lanes(0xff);
  for (unsigned lane = 0; lane < 8; ++lane) lanes.set_barrier(2, lane, 0xff);
  lanes.part(0, {{10, 0x0f}, {20, 0xf0}});
  auto group = lanes.choose(order, random, 0);
  REQUIRE(group);
  CHECK(lanes.groups()[*group].at == 10);
  lanes.go(*group, 30);
  lanes.wait_at_barrier(*group, 2, 0x0f);
  group = lanes.choose(order, random, 0);
  REQUIRE(group);
  CHECK(lanes.groups()[*group].lanes == 0xf0);
  lanes.leave_barrier(2, 0x10);
  lanes.part(*group, {{40, 0x30}, {30, 0xc0}});
  group = lanes.choose(order, random, 0);
  lanes.end(*group, 0x20);
  CHECK(lanes.alive() == 0xdf);
  group = lanes.choose(order, random, 0);
  REQUIRE(group);
  CHECK(lanes.groups()[*group].lanes == 0x10);
  lanes.end(*group, 0x10);
  group = lanes.choose(order, random, 0);
  lanes.wait_at_barrier(*group, 2, 0xc0);
  REQUIRE(lanes.groups().size() == 1);
  CHECK(lanes.groups().front().at == 31);
  CHECK(lanes.groups().front().lanes == 0xcf);
}
