// SPDX-License-Identifier: GPL-3.0-or-later
// What blocks hold with instructions that only some of their warps execute, against runs of warps.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "tests/timing/costs/memory_demand.hpp"

using namespace warpspan;
using test::sum;
using timing::Demand;

namespace {

constexpr size_t load_store = 1, special = 2, memory = test::memory_of_toy;

// All loads are of one transaction.
test::TestKernel loads_once(test::TestKernel k) {
  set_loads(k, ir::MemorySpace::global, 1);
  return k;
}

// Memory serves a transaction in 5 cycles.
timing::Machine machine() {
  return test::toy_with_memory({ir::OperationKind::load_global, ir::OperationKind::load_param}, 5, 5);
}
Demand demand_of(const test::TestKernel& k) { return test::demand_of(k, machine()); }
timing::Occupants occupants_of(const test::TestKernel& k) { return test::occupants_of(k, machine()); }

}  // namespace

TEST_CASE("what few warps of a block execute counts by block, as often as they do") {
  // A loop of 3 turns around a block of 2 warps.
  test::TestKernel k = loads_once(test::build_kernel(
      {{"LC", {1}}, {"C", {2, 3}, false, 3, 0}, {"LLS", {3}, false, 3, 0}, {"L", {1, 4}, false, 4, 0}, {"L", {}}},
      {test::loop(1, 3)}));
  CHECK_FALSE(demand_of(k).resources[memory].partial);
  k.flow.blocks[2].warps = 2;
  const Demand demand = demand_of(k);
  REQUIRE(demand.resources[memory].partial);
  CHECK(demand.resources[memory].worker == 5 * (1 + 3 * 3 + 1));
  CHECK(demand.resources[memory].partial->each == 5 * (1 + 3 + 1));
  CHECK(demand.resources[memory].partial->block == 2 * 3 * (5 + 5));
  // What an instruction holds that all warps may issue.
  for (const size_t r : {load_store, special}) {
    CHECK(demand.resources[r].partial->each == demand.resources[r].worker);
    CHECK(demand.resources[r].partial->block == 0);
  }
  const timing::Occupants occupants = occupants_of(k);
  for (size_t r = 0; r < 4; ++r) {
    CHECK(sum(occupants.partial_each[r]) == demand.resources[r].partial->each);
    CHECK(sum(occupants.partial_block[r]) == demand.resources[r].partial->block);
  }
  CHECK(occupants.partial_block[memory].size() == 2);
  k.flow.blocks[2].warps = 0;
  CHECK(demand_of(k).resources[memory].partial->block == 0);
}

TEST_CASE("what few blocks execute counts as much of each block, on average, at what the device shares") {
  test::TestKernel k = loads_once(test::build_kernel({{"LC", {1, 2}, false, 2}, {"LL", {2}}, {"L", {}}}));
  k.flow.blocks[1].warps = 3;
  timing::Machine device = machine();
  const auto of_block = [&] { return test::demand_of(k, device).resources[memory].partial->block; };
  CHECK(of_block() == 3 * 10);
  k.flow.blocks[1].blocks = ir::SomeBlocks{2, 8};
  REQUIRE(device.resources[memory].sharing == timing::ResourceFigures::Sharing::device);
  CHECK(of_block() == 2 * 4);  // of each of two loads 3 * 5 * 2 / 8, rounded up
  k.flow.partial_accesses = {{k.kernel.blocks[1].first, 1, ir::SomeBlocks{1, 8}}};
  CHECK(of_block() == 1 + 4);
  k.flow.partial_accesses = {{k.kernel.blocks[1].first, 1, ir::SomeBlocks{3, 8}}};
  CHECK(of_block() == 2 + 4);  // in two blocks still
  k.flow.partial_accesses.clear();
  device.resources[memory].lines.emplace().of(timing::Guarantee::same_bank).cycles = {1, 1};
  CHECK(of_block() == 2 * 4);
  device.resources[memory].sharing = timing::ResourceFigures::Sharing::multiprocessor;
  CHECK(of_block() == 3 * 10);  // one multiprocessor may have both
}

TEST_CASE("reads of parameters, which all warps may make, are not counted by block") {
  test::TestKernel k = loads_once(test::build_kernel({{"C", {1, 2}, false, 2}, {"L", {2}}, {"C", {}}}));
  k.flow.blocks[1].warps = 1;
  CHECK(demand_of(k).resources[memory].partial);
  k.kernel.operations[0].kind = ir::OperationKind::load_param;
  k.kernel.operations[0].space = ir::MemorySpace::parameter;
  CHECK(demand_of(k).resources[memory].worker == 5);
  CHECK_FALSE(demand_of(k).resources[memory].partial);
}

TEST_CASE("the warps of a block hold no more than what each and what the block is said to") {
  std::mt19937 random(21);
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  const auto symbols = [&] {
    std::string text;
    for (int64_t i = below(4); i >= 0; --i) text += "LCS"[below(3)];
    return text;
  };
  int tight = 0;
  for (int round = 0; round < 1000; ++round) {
    // Tests one after another, each of which may pass a block by.
    const auto tests = static_cast<ir::BlockId>(1 + below(5));
    std::vector<test::BlockSpec> blocks;
    for (ir::BlockId t = 0; t < tests; ++t) {
      blocks.push_back({symbols(), {2 * t + 1, 2 * t + 2}, false, 2 * t + 2});
      blocks.push_back({symbols(), {2 * t + 2}, false, 2 * t + 2});
    }
    blocks.push_back({symbols(), {}});
    test::TestKernel k = loads_once(test::build_kernel(blocks));
    const int64_t warps = 1 + below(8);
    for (ir::BlockId b = 1; b < k.flow.blocks.size(); b += 2) {
      if (const int64_t some = below(warps + 2); some < warps) k.flow.blocks[b].warps = some;
    }
    const Demand demand = demand_of(k);
    if (!demand.resources[memory].partial) continue;
    int64_t held = 0;
    for (int64_t w = 0; w < warps; ++w) {
      for (ir::BlockId b = 0; b < k.kernel.blocks.size(); ++b) {
        if (b % 2 == 1 && (w >= k.flow.blocks[b].warps.value_or(warps) || below(8) == 0)) continue;
        held += 5 * std::count(blocks[b].symbols.begin(), blocks[b].symbols.end(), 'L');
      }
    }
    const int64_t most = warps * demand.resources[memory].partial->each + demand.resources[memory].partial->block;
    CHECK(held <= most);
    CHECK(demand.resources[memory].partial->each <= demand.resources[memory].worker);
    tight += held == most && most < warps * demand.resources[memory].worker ? 1 : 0;
  }
  CHECK(tight > 100);
}
