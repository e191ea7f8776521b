// SPDX-License-Identifier: GPL-3.0-or-later
// The larger and the smaller of two numbers a known distance apart.
#pragma once

#include "frontend/lift/rewrites/loop_analyses.hpp"

namespace warpspan::lift {

// Replaces minima and maxima of which one operand is known to be chosen. Returns whether there were any.
bool rewrite_known_extremes(LoopAnalyses& analyses);

}  // namespace warpspan::lift
