// SPDX-License-Identifier: GPL-3.0-or-later
// What one warp asks of what warps share, at most, wherever it goes: each total is maximized by itself.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "solver/makespan/problem.hpp"
#include "support/result.hpp"
#include "timing/costs/costed_kernel.hpp"
#include "timing/warp/joint_occupancy.hpp"

namespace warpspan::timing {

// Symbols of the instruction string for the widths of the machine's units (ir::transform).
struct SymbolTotals {
  std::array<int64_t, ir::unit_classes> symbols{};  // by UnitClass
  int64_t length = 0;                               // of all classes
};

// Requires trip counts for all loops. Errors: a kernel that never ends, totals that exceed 64 bits.
support::Result<SymbolTotals> symbol_totals(const ir::Kernel& kernel, const ir::Flow& flow, const Machine& machine);

// What a bound counts for each warp. It is made for a warp alone whose code is in a warm instruction cache, and then
// changed in place: add_retries (bounds/retries.hpp), add_fetch (bounds/pipeline_model.hpp) and add_persistence
// (bounds/persistence.hpp) add what the warps of a launch make of it.
struct Demand {
  int64_t critical_path = 0;                      // cycles
  std::vector<solver::PathTerm> path_terms = {};  // in the order of a breakdown: add_term
  std::vector<solver::ResourceDemand> resources;  // by Machine::resources, each in its ticks
  std::vector<int64_t> ticks = {};                // of a cycle, by resource: Costs::ticks; empty: 1 for all
  solver::Synchronisation sync = {};              // with the warps of its block

  // By Interference, times `unit`: for how long it delays others with what it occupies from the issue on. Those
  // resources count above too.
  std::array<solver::ResourceDemand, interferences> joint = {};
  int64_t unit = 1;  // JointOccupancy::unit

  // Of loops that other warps make longer, by resource: cycles of its successful attempts, which are among those above
  // (OperationFigures::rounds), and how many other warps may each make an attempt fail for each of these.
  std::vector<int64_t> attempts = {};
  std::vector<int64_t> contenders = {};
  std::vector<std::string> assumptions = {};  // sentences

  int64_t ticks_of(size_t resource) const { return ticks.empty() ? 1 : ticks[resource]; }
  // joint in cycles, rounded up.
  solver::ResourceDemand joint_cycles(Interference interference) const;
  // False if a warp's whole path exceeds 64 bits.
  bool add_term(const solver::PathTerm& term);
  // Adds what any warp may occupy of a resource, at any time, in its ticks. False if a sum exceeds 64 bits.
  bool add(size_t resource, support::Integer more);
  // Adds the same of all resources to what counts jointly, rounded up to cycles.
  bool add_joint(const std::vector<int64_t>& occupied, const Machine& machine);
};

// path: one_warp_time. sync: of the warps of its block. Requires trip counts for all loops. Errors: a kernel that never
// ends, totals that exceed 64 bits.
support::Result<Demand> warp_demand(const CostedKernel& costed, int64_t path, solver::SyncOrder sync);

// What an instruction has of a total, all its executions.
struct Share {
  ir::InstructionId instruction = 0;
  int64_t cycles = 0;
};
using Shares = std::vector<Share>;  // ascending instructions

// Whose the totals of warp_demand are, on the path that has most. They may be missing: what is there and does not add
// up to the total says nothing.
struct Occupants {
  std::vector<Shares> resources, attempts;          // by resource
  std::array<Shares, interferences> joint = {};     // by Interference
  std::vector<Shares> partial_each, partial_block;  // by resource; empty where no demand is partial
};
Occupants find_occupants(const CostedKernel& costed);

}  // namespace warpspan::timing
