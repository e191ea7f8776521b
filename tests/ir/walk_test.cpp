// SPDX-License-Identifier: GPL-3.0-or-later
// What Walk costs and what it says of code that whole warps, groups of lanes and calls share.
#include "ir/walk.hpp"

#include <catch2/catch.hpp>

#include "ir/execution.hpp"
#include "tests/ir/build_kernel.hpp"

using namespace warpspan;
using ir::BlockId;
using ir::no_block;
using test::BlockSpec;
using test::build_kernel;
using test::loop;
using test::TestKernel;

namespace {

std::optional<int64_t> instructions_of(const TestKernel& k) {
  const auto totals =
      ir::largest_totals(k.kernel, k.flow, 1, [](ir::InstructionId) { return std::vector<support::Integer>{1}; });
  return totals ? totals->front().value() : std::nullopt;
}

// `rounds` times: lanes that differ skip ahead (continue), or stop (break), or go on. All reconverge at the end.
TestKernel unrolled_breaks(BlockId rounds) {
  std::vector<BlockSpec> blocks;
  const BlockId end = 2 * rounds;
  for (BlockId i = 0; i < rounds; ++i) {
    const BlockId next = i + 1 < rounds ? 2 * i + 2 : end;
    blocks.push_back({"C", {2 * i + 1, next}, true, end});  // continue?
    blocks.push_back({"L", {next, end}, true, end});        // break?
  }
  blocks.push_back({"S", {}});
  return build_kernel(blocks);
}

// if (a) {A} else if (b) {B} else ...
TestKernel ladder(BlockId steps) {
  std::vector<BlockSpec> blocks;
  const BlockId end = 2 * steps;
  for (BlockId i = 0; i < steps; ++i) {
    blocks.push_back({"C", {2 * i + 1, 2 * i + 2}, true, end});
    blocks.push_back({"L", {end}, false, end});
  }
  blocks.push_back({"S", {}});
  return build_kernel(blocks);
}

// Loops of two iterations, each inside the one before.
TestKernel nest(BlockId depth, int64_t trips) {
  std::vector<BlockSpec> blocks;
  std::vector<ir::Loop> loops;
  blocks.push_back({"", {1}, false, 1});
  for (BlockId i = 1; i <= depth; ++i) {
    blocks.push_back({"C", {i + 1}, false, i + 1, i - 1});
    loops.push_back(loop(i, trips, i == 1 ? ir::no_loop : i - 2));
  }
  for (BlockId i = depth; i >= 1; --i) {
    const BlockId self = 2 * depth - i + 1;
    blocks.push_back({"L", {i, self + 1}, false, self + 1, i - 1});
  }
  blocks.push_back({"S", {}});
  return build_kernel(blocks, loops);
}

}  // namespace

TEST_CASE("no path leads to a block that no thread executes") {
  // 0 -> 1 or 2 -> 3, and 1 is long.
  TestKernel k = build_kernel({{"C", {1, 2}, true, 3}, {"CCCC", {3}, false, 3}, {"L", {3}, false, 3}, {"S", {}}});
  CHECK(instructions_of(k) == 1 + 4 + 1 + 1);
  k.flow.blocks[1].executed = false;
  CHECK(instructions_of(k) == 1 + 1 + 1);
  CHECK_FALSE(ir::runs_apart(k.kernel, k.flow, 0));
  CHECK(ir::successors_of(k.kernel, k.flow, 0) == std::vector<BlockId>{2});
}

TEST_CASE("lanes that would come back apart do not where no thread goes") {
  // A loop of which a continue skips the rest, 1 -> 2 or 3 and back.
  const std::vector<BlockSpec> blocks = {
      {"", {1}, false, 1}, {"C", {1, 2}, true, 3, 0}, {"L", {1, 3}, false, 3, 0}, {"S", {}}};
  TestKernel k = build_kernel(blocks, {loop(1, 4)});
  CHECK(ir::find_lane_groups(k.kernel, k.flow).lanes_may_desynchronize[0]);
  k.kernel.blocks.push_back(k.kernel.blocks[2]);  // an exit that no thread takes
  k.kernel.blocks[1].successors = {2, 4};
  k.flow.blocks.push_back(k.flow.blocks[2]);
  k.flow.order = {0, 1, 4, 2, 3};
  CHECK(ir::find_lane_groups(k.kernel, k.flow).lanes_may_desynchronize[0]);
  k.flow.blocks[4].executed = false;
  CHECK_FALSE(ir::find_lane_groups(k.kernel, k.flow).lanes_may_desynchronize[0]);
}

TEST_CASE("groups of lanes share code at most 32 times") {
  CHECK(ir::find_lane_groups(unrolled_breaks(3).kernel, unrolled_breaks(3).flow).crowded ==
        std::vector<bool>(7, false));
  // 1 + 1 + ... by lanes: each alone executes at most both blocks of a round.
  for (const BlockId rounds : {8U, 24U, 1000U}) {
    const auto bound = instructions_of(unrolled_breaks(rounds));
    REQUIRE(bound);
    CHECK(*bound <= 32 * 2 * int64_t{rounds} + 2);
    CHECK(*bound >= 2 * int64_t{rounds} + 1);
  }
}

TEST_CASE("few groups are counted one by one") {
  CHECK(instructions_of(unrolled_breaks(1)) == 3);  // continue | break or go on: nothing between
  CHECK(instructions_of(unrolled_breaks(2)) <= 1 + 2 + (1 + 2) + 1);
}

TEST_CASE("ways that share nothing add up once, however many") {
  CHECK(instructions_of(ladder(1)) == 3);
  CHECK(instructions_of(ladder(500)) == 1001);
  CHECK(instructions_of(ladder(5000)) == 10001);
}

TEST_CASE("an unrolled switch of more than 32 ways counts each") {
  std::vector<BlockSpec> blocks = {{"C", {}, true, 41}};
  for (BlockId i = 1; i <= 40; ++i) {
    blocks[0].successors.push_back(i);
    blocks.push_back({"L", {41}, false, 41});
  }
  blocks.push_back({"S", {}});
  CHECK(instructions_of(build_kernel(blocks)) == 42);
}

TEST_CASE("deep nests are counted in their size") {
  CHECK(instructions_of(nest(1, 2)) == 2 + 2 + 1);
  CHECK(instructions_of(nest(2, 2)) == 2 * (2 + 4) + 1);
  CHECK(instructions_of(nest(500, 1)) == 1001);
  const auto deep = ir::largest_totals(nest(500, 2).kernel, nest(500, 2).flow, 1,
                                       [](ir::InstructionId) { return std::vector<support::Integer>{1}; });
  REQUIRE(deep);
  CHECK(deep->front().overflowed());
}

TEST_CASE("a body that calls share is counted in each") {
  // 0 calls f, 1 calls f, 2 ends; f is 3: C, then loop 4 of L.
  TestKernel k = build_kernel(
      {{"C", {1}}, {"C", {2}}, {"", {}}, {"S", {4}, false, 4}, {"L", {4, 5}, false, 5, 0}, {"C", {}}}, {loop(4, 10)});
  k.kernel.blocks[2].may_end = true;
  k.kernel.functions.push_back({"f", 3});
  k.kernel.blocks[0].callee = k.kernel.blocks[1].callee = 0;
  CHECK(instructions_of(k) == 2 + 2 * (1 + 10 + 1));
  const auto worst = ir::worst_string(k.kernel, k.flow, {1, 1, 1});
  CHECK(to_string(*worst->string) == "CSL10C2SL10C");
}

TEST_CASE("calls that double are not written out") {
  std::vector<BlockSpec> blocks = {{"C", {1}}, {"", {}}};
  for (BlockId f = 0; f < 40; ++f) {
    blocks.push_back({"C", {2 + 2 * f + 1}});
    blocks.push_back({"C", {}});
  }
  TestKernel k = build_kernel(blocks);
  for (BlockId f = 0; f < 40; ++f) {
    k.kernel.functions.push_back({"f" + std::to_string(f), 2 + 2 * f});
    if (f == 0) continue;
    k.kernel.blocks[2 + 2 * f].callee = k.kernel.blocks[2 + 2 * f + 1].callee = f - 1;
  }
  // The second block of a function has a call and nothing behind it: it returns.
  k.kernel.blocks[0].callee = 39;
  CHECK(instructions_of(k) == 1 + 2 * ((int64_t{1} << 40) - 1));
  const auto worst = ir::worst_string(k.kernel, k.flow, {1, 1, 1});
  REQUIRE(worst);
  CHECK(!worst->string);
  CHECK(worst->counts[static_cast<size_t>(ir::UnitClass::core)].value() == 1 + 2 * ((int64_t{1} << 40) - 1));
}
