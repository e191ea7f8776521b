// SPDX-License-Identifier: GPL-3.0-or-later
// The warps and blocks that a multiprocessor has, while they run.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "ir/execution/trace.hpp"
#include "timing/simulate/flat_map.hpp"
#include "timing/simulate/simulated_cost.hpp"
#include "timing/simulate/stalls.hpp"
#include "timing/simulate/timeline.hpp"

namespace warpspan::timing {

inline constexpr double never = std::numeric_limits<double>::infinity();

struct SimulatedBlock;

// A scoreboard of a warp: when it is 0 again, and what it waits for then.
struct Scoreboard {
  double free = 0;
  Stall why = Stall::result;
  ir::InstructionId owner = ir::no_instruction;
  std::vector<double> groups;  // when each group of copies that it counts is done, not falling
};

struct SimulatedWarp {
  SimulatedBlock* block = nullptr;
  const ir::WarpTrace* trace = nullptr;
  size_t next = 0;                // of the trace's steps
  ir::InstructionId current = 0;  // what it is to issue next, or has issued last
  double begin = 0;
  double ready = 0;        // behind the instruction before, scoreboards apart
  double fixed_until = 0;  // the part of that which is its stall count
  Stall behind_fixed = Stall::branch;
  double charged = 0;                  // StallAccount
  uint64_t line_of_code = UINT64_MAX;  // that it has
  std::array<Scoreboard, machine_scoreboards> boards;
  std::array<size_t, ir::barriers_of_block> seen{};  // openings of barriers that it has waited for
  double copies = 0, stores = 0;                     // when those that it began are done
  std::vector<double> products;                      // when each group of products is done, not falling
  size_t loaded = 0;                                 // the step that read shared memory last, since it swapped
  double loaded_at = never;                          // when
  size_t row = TimelineRecorder::no_row;             // of the timeline
  uint64_t age = 0;
  bool is_done() const { return next >= trace->steps.size(); }
};

struct SimulatedBlock {
  ir::BlockTrace trace;
  int64_t number = 0;  // among those that are simulated
  std::vector<SimulatedWarp> warps;
  size_t alive = 0;
  std::array<uint32_t, ir::barriers_of_block> arrived{};
  std::array<std::vector<double>, ir::barriers_of_block> opened;  // when, in order
  FlatMap<double> swapped;  // by word of shared memory: when a swap that code repeats succeeded
};

}  // namespace warpspan::timing
