// SPDX-License-Identifier: GPL-3.0-or-later
// In which order the warps of a block wait for one another.
#include "ir/sync_points.hpp"

#include <array>
#include <catch2/catch.hpp>

#include "tests/ir/build_kernel.hpp"

using namespace warpspan;
using ir::no_block;
using Order = ir::SyncPoints::Order;
using test::build_kernel;
using test::loop;
using test::TestKernel;

namespace {

// The branch at the end of the block may send warps of a block different ways.
TestKernel with_branch(TestKernel kernel, ir::BlockId block) {
  kernel.flow.blocks[block].warps_differ = true;
  return kernel;
}

ir::SyncPoints meetings_of(const TestKernel& k) { return ir::find_sync_points(k.kernel, k.flow); }

// if (warp) {side} else {other}, then the rest.
TestKernel sides(const std::string& side, const std::string& other, const std::string& rest) {
  return with_branch(build_kernel({{"C", {1, 2}, false, 3}, {side, {3}, false, 3}, {other, {3}, false, 3}, {rest, {}}}),
                     0);
}

}  // namespace

TEST_CASE("warps without barriers wait for no other") {
  CHECK(meetings_of(sides("C", "S", "C")).order == Order::never);
}

TEST_CASE("warps that take different paths between barriers synchronise in order") {
  const ir::SyncPoints found = meetings_of(sides("C", "S", "B"));
  CHECK(found.order == Order::in_order);
  CHECK(found.both_successors.empty());
}

TEST_CASE("a barrier on one way, or on both, leaves the order unknown") {
  for (const auto& [side, other, rest] :
       {std::array{"CBC", "C", "CE"}, {"C", "CB", "CE"}, {"B", "B", "E"}, {"B", "", "CE"}}) {
    const ir::SyncPoints found = meetings_of(sides(side, other, rest));
    CHECK(found.order == Order::in_any_order);
    CHECK(found.cause == 0);
  }
  TestKernel same = sides("CBC", "C", "CE");
  same.flow.blocks[0].warps_differ = false;
  CHECK(meetings_of(same).order == Order::in_order);
  same.flow.blocks[0].divergent = true;  // lanes of a warp
  CHECK(meetings_of(same).order == Order::in_any_order);
}

TEST_CASE("warps that differ meet at the post-dominator where their lanes stay together") {
  TestKernel k = sides("C", "S", "CBC");
  k.flow.blocks[0].reconvergence = no_block;  // lanes would reconverge nowhere
  CHECK(meetings_of(k).order == Order::in_order);
  k.flow.blocks[0].divergent = true;
  CHECK(meetings_of(k).order == Order::in_any_order);
  k.flow.blocks[0].reconvergence = 3;
  CHECK(meetings_of(k).order == Order::in_order);
}

TEST_CASE("warps that end early are followed once") {
  const ir::SyncPoints found = meetings_of(sides("CBC", "C", "E"));
  CHECK(found.order == Order::in_order);
  CHECK(found.both_successors == std::vector<ir::BlockId>{0});
  // Each with an end of its own.
  const TestKernel apart = with_branch(build_kernel({{"C", {1, 2}}, {"CBC", {}}, {"S", {}}}), 0);
  CHECK(meetings_of(apart).order == Order::in_order);
  CHECK(meetings_of(apart).both_successors == std::vector<ir::BlockId>{0});
}

TEST_CASE("warps that leave a loop of barriers one after another are in any order") {
  // 0: header, 1: barrier and back, 2: what follows.
  TestKernel k = build_kernel({{"C", {1, 2}, false, 2, 0}, {"B", {0}, false, 0, 0}, {"SE", {}}}, {loop(0, 4)});
  CHECK(meetings_of(k).order == Order::in_order);  // all at once
  CHECK(meetings_of(with_branch(k, 0)).order == Order::in_any_order);
  // Leaving it by a way of their own is no better.
  TestKernel early = build_kernel(
      {{"C", {1, 2}, false, no_block, 0}, {"B", {0, 3}, false, no_block, 0}, {"E", {}}, {"SE", {}}}, {loop(0, 4)});
  CHECK(meetings_of(with_branch(early, 0)).order == Order::in_any_order);
  // Without a barrier inside they have all left before the next one.
  TestKernel plain = build_kernel({{"C", {1, 2}, false, 2, 0}, {"S", {0}, false, 0, 0}, {"BE", {}}}, {loop(0, 4)});
  CHECK(meetings_of(with_branch(plain, 0)).order == Order::in_order);
}

TEST_CASE("a barrier at which only some warps synchronise leaves the order unknown") {
  TestKernel k = build_kernel({{"CBC", {}}});
  CHECK(meetings_of(k).order == Order::in_order);
  k.flow.partial_barriers = {1};
  CHECK(meetings_of(k).order == Order::in_any_order);
  CHECK(meetings_of(k).cause == 1);
}

TEST_CASE("a barrier in a function counts where it is called") {
  // 0 branches around the call in 1; 3 is the function.
  TestKernel k = with_branch(build_kernel({{"C", {1, 2}, false, 2}, {"", {2}, false, 2}, {"CE", {}}, {"B", {}}}), 0);
  k.kernel.functions = {{"f", 3}};
  CHECK(meetings_of(k).order == Order::in_order);
  k.kernel.blocks[1].callee = 0;
  CHECK(meetings_of(k).order == Order::in_any_order);
}

TEST_CASE("a warp group synchronises at its fences and waits, and not where it multiplies") {
  TestKernel k = build_kernel({{"CBC", {}}});
  ir::Operation& operation = k.kernel.operations[k.kernel.instructions[1].operation];
  operation.kind = ir::OperationKind::matrix_group;
  CHECK(ir::synchronises_warps(operation));
  CHECK_FALSE(ir::multiplies_by_group(operation));
  CHECK(meetings_of(k).order == Order::in_order);
  operation.facts.synchronisation = ir::Synchronisation::arrive;
  CHECK_FALSE(ir::waits_for_warps(operation));
  CHECK(ir::multiplies_by_group(operation));
  CHECK(meetings_of(k).order == Order::never);
}
