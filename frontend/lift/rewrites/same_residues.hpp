// SPDX-License-Identifier: GPL-3.0-or-later
// Low bits of numbers that differ, of which they are the same.
#pragma once

#include "frontend/lift/rewrites/loop_analyses.hpp"

namespace warpspan::lift {

// Replaces low bits of a number by those of another one, calculated before, where scalar evolution knows both to be
// equal: code for what is left of an unrolled loop asks for some of n - i and runs as often as those of a counter say.
// Returns whether there were any.
bool rewrite_same_residues(LoopAnalyses& analyses);

}  // namespace warpspan::lift
