// Loops of the machine code that other warps make longer: compare-and-swap loops and loops around a lock.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/kernel.hpp"
#include "solver/makespan/problem.hpp"
#include "support/result.hpp"
#include "timing/launch/launch.hpp"
#include "timing/machine/model.hpp"
#include "timing/warp/demand.hpp"

namespace warpspan::timing {

// What one warp needs among the warps of its launch.
struct ContendedDemand {
  int64_t critical_path = 0;       // cycles
  std::vector<int64_t> resources;  // server-cycles, by Machine::resources
  // By Neighbour, cycles: for how long it is in its way with what it holds from the issue on. Those resources are told
  // above too.
  std::array<int64_t, neighbours> together = {};
  // By resource: ResourceDemand::split, of those without rounds; empty if there is none.
  std::vector<std::optional<solver::GridResource::Split>> splits = {};
  std::optional<PieceDemand> piece = {};  // ResourceDemand::piece, with all rounds; cycles
  int64_t failures = 0;                   // of critical_path: rounds of other warps that fail for this one's successes
  std::vector<int64_t> rivals;            // by resource: others' warps, each of which repeats a round for each success
  std::vector<std::string> assumptions;   // none without such loops, or if nobody contends for their words
};

// critical_path, demand: of one warp alone. Errors: cycles that exceed 64 bits.
support::Result<ContendedDemand> with_contention(const ir::Kernel& kernel, int64_t critical_path,
                                                 const ResourceDemand& demand, const Load& load,
                                                 const Machine& machine);

}  // namespace warpspan::timing
