// SPDX-License-Identifier: GPL-3.0-or-later
// What a bound counts once: for lines that caches have from their first miss on, and for translations of pages.
#pragma once

#include "ir/kernel.hpp"
#include "support/result.hpp"
#include "timing/bounds/priced_warp.hpp"
#include "timing/launch/launch.hpp"
#include "timing/machine/model.hpp"
#include "timing/warp/demand.hpp"

namespace warpspan::timing {

// Adds the first misses of the warp's scenario, and its waits for translations (costs/waits_once.hpp). multiprocessors:
// on which analysed warps are, at most. Errors: cycles that exceed 64 bits.
support::Result<Demand> add_persistence(const ir::Kernel& kernel, Demand demand, const PricedWarp& warp,
                                        const Footprint& footprint, const Load& load, const Machine& machine,
                                        int64_t multiprocessors);

}  // namespace warpspan::timing
