// SPDX-License-Identifier: GPL-3.0-or-later
// Models of the thesis "Timing analysis of Fermi" that only it has: computed as it says, never bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpspan::app {

// What one warp executes of a kernel (tables 8 and 9).
struct InstructionMix {
  int64_t dependent = 0;  // arithmetic that waits for the one before it
  int64_t arithmetic = 0;
  int64_t shared_loads = 0, shared_stores = 0, global_stores = 0, global_loads = 0;

  int64_t total() const { return dependent + arithmetic + shared_loads + shared_stores + global_stores + global_loads; }
};

// Cycles per instruction (table 7).
struct CyclesPerInstruction {
  int64_t dependent = 18, arithmetic = 6, shared_load = 26, shared_store = 30, global_store = 34;
};

// The sum of cycles per instruction (section 6.2), a global load taking `load` cycles and none of them being hidden.
int64_t sum_of_cycles(const InstructionMix& mix, int64_t load, const CyclesPerInstruction& cycles = {});

// Hong and Kim's model (An analytical model for a GPU architecture with memory-level and thread-level parallelism
// awareness, ISCA 2009) for one warp, where memory and computation overlap with no other: issue cycles of all
// instructions, and the latency of each memory instruction.
int64_t memory_warp_parallelism(int64_t instructions, int64_t issue_cycles, int64_t loads, int64_t latency);

// The scheduler of section 6: the warps of a scheduler round-robin, one every 2 cycles; an instruction of the same warp
// 6 cycles later, or 18 where it needs the result of the one before it. The cycles, from 0, in which each warp starts
// each of its instructions. waits[i]: instruction i needs the result of the one before it.
std::vector<std::vector<int64_t>> warp_timeline(const std::vector<bool>& waits, size_t warps_of_scheduler);

}  // namespace warpspan::app
