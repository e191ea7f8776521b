// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that caches have from their first miss on: what a bound counts once for them.
#pragma once

#include "ir/kernel.hpp"
#include "support/result.hpp"
#include "timing/bounds/priced_warp.hpp"
#include "timing/launch/launch.hpp"
#include "timing/machine/model.hpp"
#include "timing/warp/demand.hpp"

namespace warpspan::timing {

// Adds the first misses of the warp's scenario. multiprocessors: on which analysed warps are, at most. Errors: cycles
// that exceed 64 bits.
support::Result<Demand> add_persistence(const ir::Kernel& kernel, Demand demand, const PricedWarp& warp,
                                        const Load& load, const Machine& machine, int64_t multiprocessors);

}  // namespace warpspan::timing
