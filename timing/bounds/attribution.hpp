// SPDX-License-Identifier: GPL-3.0-or-later
// Which instructions the cycles of the pipeline model's bound belong to (docs/model.md, "Cost by instruction").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/kernel.hpp"
#include "solver/makespan/result.hpp"
#include "timing/machine/model.hpp"
#include "timing/warp/demand.hpp"
#include "timing/warp/wait_record.hpp"

namespace warpspan::timing {

// Of what others do to read constants and parameters that stand before an instruction, whatever they wait for.
inline constexpr const char* constants_name = "constants";

// What one instruction of the kernel has in the pipeline bound: the cycles for which it is what the analysed warps wait
// for, and those for which other warps occupy a resource with it.
struct InstructionCost {
  ir::InstructionId instruction = 0;
  int64_t executions = 0;  // by one warp, on the path with the most cycles
  int64_t own = 0;         // cycles of the bound, of its part "path"
  int64_t others = 0;      // cycles of the bound, of its parts "resource", "blocks" and "failures"
  // The one with most of `others`, one of joint_names, or constants_name; empty if there are none.
  std::string resource;

  int64_t cycles() const { return own + others; }
};

struct Attribution {
  std::vector<InstructionCost> costs;  // ascending instructions, those without cycles left out
  int64_t rest = 0;  // cycles that no instruction has: dispatch, rounding, all that is done to fetch code
};

// What is known of one warp. Instructions are those of the machine code.
struct WarpShares {
  const WarpWaits& waits;
  const Demand& alone;  // warp_demand
  const Occupants& occupants;
  const std::vector<int64_t>& contenders;         // Demand::contenders, in the launch
  const std::vector<ir::InstructionId>& origins;  // by instruction of the machine code: of the kernel
  const std::vector<bool>& reads_constants;       // by the same: put before an access of its origin, to read constants
};

// Costs and rest add up to the makespan. Without a makespan, or where the shares do not add up to the demand that the
// bound counts: nothing but the rest. bound: of pipeline_model for this warp. kernel: as the file has it.
Attribution attribute(const ir::Kernel& kernel, const Machine& machine, const WarpShares& warp,
                      const solver::Bound& bound);

}  // namespace warpspan::timing
