// SPDX-License-Identifier: GPL-3.0-or-later
// What loops leave behind, where it is known before they run.
#pragma once

#include "frontend/lift/rewrites/loop_analyses.hpp"

namespace warpspan::lift {

// Uses, outside of a loop, of what is computed inside become constants where every thread that leaves the loop brings
// the same constant along. Returns whether there are any.
bool rewrite_exit_values(LoopAnalyses& analyses);

// The same, also where it is what a phi of the header began with and a constant more: after what knows more of values
// that differ among threads (joined_exits.hpp).
bool rewrite_exit_sums(LoopAnalyses& analyses);

}  // namespace warpspan::lift
