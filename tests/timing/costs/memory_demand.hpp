// SPDX-License-Identifier: GPL-3.0-or-later
// What kernels hold of a toy machine that has a memory.
#pragma once

#include <catch2/catch.hpp>

#include "tests/ir/build_kernel.hpp"
#include "tests/timing/toy_machine.hpp"
#include "timing/costs/cost.hpp"
#include "timing/warp/demand.hpp"

namespace warpspan::test {

inline constexpr size_t memory_of_toy = 3;

// A transaction of these kinds holds it so many cycles, and the first of an access `first`.
inline timing::Machine toy_with_memory(std::initializer_list<ir::OperationKind> kinds, int64_t cycles, int64_t first) {
  timing::Machine machine = toy_machine();
  machine.resources.push_back(
      {"memory", 1, timing::ResourceFigures::Sharing::device, timing::Evidence::assumed, "toy"});
  for (auto* table : {&machine.operations, &machine.otherwise}) {
    for (const ir::OperationKind kind : kinds) {
      (*table)[static_cast<size_t>(kind)]->occupancies.push_back({memory_of_toy, cycles, true, first});
    }
  }
  return machine;
}

// The operation "L" of a kernel is a load from that space, each of so many transactions.
inline void set_loads(TestKernel& k, ir::MemorySpace space, uint32_t transactions) {
  k.kernel.operations[0].space = space;
  for (size_t i = 0; i < k.kernel.instructions.size(); ++i) {
    if (k.kernel.instructions[i].operation == 0) k.flow.transactions[i] = transactions;
  }
}

inline timing::Demand demand_of(const TestKernel& k, const timing::Machine& machine,
                                solver::SyncOrder sync = solver::SyncOrder::never) {
  const auto costs = timing::costs_of(k.kernel, machine);
  REQUIRE(costs.ok());
  const auto demand = timing::warp_demand({k.kernel, k.flow, *costs, machine}, 0, sync);
  REQUIRE(demand.ok());
  return *demand;
}

inline timing::Occupants occupants_of(const TestKernel& k, const timing::Machine& machine) {
  const auto costs = timing::costs_of(k.kernel, machine);
  REQUIRE(costs.ok());
  return timing::find_occupants({k.kernel, k.flow, *costs, machine});
}

inline int64_t sum(const timing::Shares& shares) {
  int64_t cycles = 0;
  for (const timing::Share& share : shares) cycles += share.cycles;
  return cycles;
}

}  // namespace warpspan::test
