// SPDX-License-Identifier: GPL-3.0-or-later
// Bulk copies: how many lines of memory one asks for, and for how many threads of a warp it does.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "support/result.hpp"

namespace warpspan::timing {

// The flow with the lines that each bulk copy of one thread touches at most as its transactions: those of its bytes, as
// far as they are known, else of all shared memory of a block, which has so many bytes at most; of a tensor one more,
// for its description. Errors: one for each prefetch of an unknown size, at its instruction.
support::Result<ir::Flow> with_bulk_copies(const ir::Kernel& kernel, ir::Flow flow, int64_t shared_bytes);

// How many threads of a warp execute a bulk copy at most: of those of this operation the most; 1 of other operations.
// By Kernel::operations.
std::vector<int64_t> lanes_of_copies(const ir::Kernel& kernel, const ir::Flow& flow);

}  // namespace warpspan::timing
