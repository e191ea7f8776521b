// SPDX-License-Identifier: GPL-3.0-or-later
// Counters of loops that are kept below a power of two, as places of a ring are.
#pragma once

#include "frontend/lift/rewrites/loop_analyses.hpp"

namespace warpspan::lift {

// Lets a loop carry i + c in place of (i + c) & (2^k - 1), where nobody looks at more than the k lowest bits of i: it
// is a counter then. Returns whether there were any.
bool rewrite_carried_masks(LoopAnalyses& analyses);

}  // namespace warpspan::lift
