// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/reproduce/fermi_models.hpp"

#include <algorithm>

namespace warpspan::app {

namespace {

constexpr int64_t cycles_between_warps = 2;
constexpr int64_t cycles_between_instructions = 6;
constexpr int64_t cycles_to_result = 18;

}  // namespace

int64_t sum_of_cycles(const InstructionMix& mix, int64_t load, const CyclesPerInstruction& cycles) {
  return mix.dependent * cycles.dependent + mix.arithmetic * cycles.arithmetic + mix.shared_loads * cycles.shared_load +
         mix.shared_stores * cycles.shared_store + mix.global_stores * cycles.global_store + mix.global_loads * load;
}

int64_t memory_warp_parallelism(int64_t instructions, int64_t issue_cycles, int64_t loads, int64_t latency) {
  return instructions * issue_cycles + loads * latency;
}

std::vector<std::vector<int64_t>> warp_timeline(const std::vector<bool>& waits, size_t warps_of_scheduler) {
  std::vector<std::vector<int64_t>> starts(warps_of_scheduler);
  size_t first = 0, left = warps_of_scheduler * waits.size();
  for (int64_t cycle = 0; left > 0; cycle += cycles_between_warps) {
    for (size_t i = 0; i < warps_of_scheduler; ++i) {
      auto& of_warp = starts[(first + i) % warps_of_scheduler];
      const size_t next = of_warp.size();
      if (next == waits.size()) continue;
      const int64_t distance = waits[next] ? cycles_to_result : cycles_between_instructions;
      if (next > 0 && cycle < of_warp.back() + distance) continue;
      of_warp.push_back(cycle);
      first = (first + i + 1) % warps_of_scheduler;
      --left;
      break;
    }
  }
  return starts;
}

}  // namespace warpspan::app
