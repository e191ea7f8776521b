// SPDX-License-Identifier: GPL-3.0-or-later
// How long a launch probably takes: one of its multiprocessors, followed through the traces of its blocks
// (docs/simulate.md). An estimate: typical figures, others taken to do the same at the same time, and no adversary. It
// is no bound, and no bound is made of it; floating point decides it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/execution/machine_detail.hpp"
#include "ir/execution/trace.hpp"
#include "timing/launch/launch.hpp"
#include "timing/simulate/multiprocessor.hpp"

namespace warpspan::timing {

struct SimulatedLaunch {
  const ir::Kernel& kernel;
  const std::vector<ir::MachineDetail>& details;  // by instruction of the kernel
  ir::Extent grid;
  Load load;
  // What the warps of a block do, by its number in the grid. Asked for in the order in which blocks are to run.
  std::function<ir::BlockTrace(int64_t)> trace;
  // The same on memory of its own, as it is before the launch, for where all blocks are asked for.
  std::function<ir::BlockTrace(int64_t)> trace_of_all;
};

struct SimulationLimits {
  SchedulingPolicy policy = SchedulingPolicy::greedy_then_youngest;
  // Warp instructions that are simulated, about; four times as many where it takes these to fill the multiprocessor
  // once.
  double instructions = 2e6;
  size_t timeline_rows = 0;  // warps at a time that the timeline follows
};

struct Simulation {
  double cycles = 0;                              // of the launch, from the first instruction to the last
  double simulated_cycles = 0;                    // of the blocks that were simulated
  int64_t blocks = 0;                             // of the multiprocessor
  int64_t simulated_blocks = 0;                   // of these; the time of the others is extrapolated
  int64_t resident = 0;                           // at a time
  double multiprocessors = 0;                     // that have blocks
  double instructions = 0;                        // warp instructions that were simulated
  double occupancy = 0;                           // part of the warps of a multiprocessor that it had on average
  double issue = 0;                               // part of the issue slots that were used
  std::array<double, units_of_scheduler> busy{};  // part of the time that units were held
  MemoryTraffic traffic;                          // of the multiprocessor, of what was followed
  std::vector<InstructionStalls> stalls;          // by instruction of the kernel
  Timeline timeline;                              // of what was simulated
  std::vector<std::string> zeroed;                // as ir::BlockTrace
  std::vector<std::string> assumed;
  std::string stopped;                // why a block was not executed to its end; empty: all were
  bool uniform_apart = false;         // as ir::BlockTrace
  bool depends_on_data = false;       // a branch or an address depended on what was loaded
  bool depends_on_arguments = false;  // on a parameter that has no value
};

// Errors: a machine without typical figures; warps that wait for ever.
support::Result<Simulation> simulate(const SimulatedLaunch& launch, const Machine& machine,
                                     const SimulationLimits& limits = {});

}  // namespace warpspan::timing
