// SPDX-License-Identifier: GPL-3.0-or-later
// What loops leave behind that some paths bypass, as the remainder of an unrolled one.
#pragma once

#include "frontend/lift/rewrites/loop_analyses.hpp"

namespace warpspan::lift {

// Replaces integer phis behind loops by what they are on all paths, computed before the loops. Returns whether there
// was one. The theorem and its proof are in joined_exits.cpp.
bool rewrite_joined_exits(LoopAnalyses& analyses);

}  // namespace warpspan::lift
