// SPDX-License-Identifier: GPL-3.0-or-later
// A machine with round numbers: results can be worked out by hand.
#pragma once

#include "timing/machine/model.hpp"

namespace warpspan::test {

// One scheduler and one multiprocessor. Issue gap 10. Core results after 20, special 30, loads 100; the load/store unit
// is held 5 cycles a transaction, the special unit 40, each shared by the multiprocessor.
inline timing::Machine toy_machine() {
  using namespace timing;
  Machine machine;
  machine.name = "toy";
  machine.issue_gap = 10;
  machine.issue_occupancy = 1;
  machine.max_threads_per_block = 1024;
  machine.max_warps = 32;
  machine.max_blocks = {8, 8};
  machine.shared_bytes = {16384, 16384};
  machine.shared_bytes_per_block = 16384;
  machine.registers = machine.registers_per_block = 65536;
  machine.unit_width = {support::Rational{1, 2}, support::Rational{1, 1}, support::Rational{1, 4}};
  machine.resources = {{"issue", 1, ResourceFigures::Sharing::scheduler, Evidence::assumed, "toy"},
                       {"load_store", 1, ResourceFigures::Sharing::multiprocessor, Evidence::assumed, "toy"},
                       {"special", 1, ResourceFigures::Sharing::multiprocessor, Evidence::assumed, "toy"}};
  const auto set = [&machine](ir::OperationKind kind, Latency latency, std::vector<Occupancy> holds) {
    OperationFigures figures;
    figures.latency = latency;
    figures.occupancies = std::move(holds);
    figures.occupancies.insert(figures.occupancies.begin(), Occupancy{0, 1, false, 1});
    machine.operations[static_cast<size_t>(kind)] = machine.otherwise[static_cast<size_t>(kind)] = figures;
  };
  set(ir::OperationKind::int_add, {20, 20, 20}, {});
  set(ir::OperationKind::special, {30, 30, 30}, {Occupancy{2, 40, false, 40}});
  set(ir::OperationKind::load_global, {50, 70, 100}, {Occupancy{1, 5, true, 5}});
  set(ir::OperationKind::load_param, {0, 0, 0}, {});
  set(ir::OperationKind::barrier, {10, 10, 10}, {});
  set(ir::OperationKind::branch, {10, 10, 10}, {});
  return machine;
}

// Units that instructions hold from their issue on beside the issue slot: those of the scheduler, or of the whole
// multiprocessor.
template <typename Random>
void hold_more_from_issue(timing::Machine& machine, Random& random) {
  using Sharing = timing::ResourceFigures::Sharing;
  const auto up_to = [&random](int64_t most) {
    return 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(most));
  };
  machine.resources.push_back({"alu", 1, Sharing::scheduler, timing::Evidence::assumed, "toy"});
  machine.resources.push_back({"wide", 1, Sharing::multiprocessor, timing::Evidence::assumed, "toy"});
  for (const size_t r : {0, 2, 3, 4}) machine.resources[r].at_issue = true;
  if (up_to(2) == 1) machine.resources[2].sharing = Sharing::scheduler;
  for (const ir::OperationKind kind : {ir::OperationKind::int_add, ir::OperationKind::special}) {
    std::vector<timing::Occupancy>& holds = machine.otherwise[static_cast<size_t>(kind)]->occupancies;
    for (const size_t r : {3, 4}) {
      const int64_t cycles = up_to(6);
      holds.push_back({r, cycles, false, cycles});
    }
    machine.operations[static_cast<size_t>(kind)] = machine.otherwise[static_cast<size_t>(kind)];
  }
}

}  // namespace warpspan::test
