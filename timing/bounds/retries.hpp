// SPDX-License-Identifier: GPL-3.0-or-later
// Loops of the machine code that other warps make longer: compare-and-swap loops and loops around a lock.
#pragma once

#include "ir/kernel.hpp"
#include "support/result.hpp"
#include "timing/launch/launch.hpp"
#include "timing/machine/model.hpp"
#include "timing/warp/demand.hpp"

namespace warpspan::timing {

// Adds to the demand of one warp alone what it repeats among the warps of its launch, and sets Demand::contenders.
// Errors: cycles that exceed 64 bits.
support::Result<Demand> add_retries(const ir::Kernel& kernel, Demand demand, const Load& load, const Machine& machine);

}  // namespace warpspan::timing
