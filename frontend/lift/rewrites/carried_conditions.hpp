// SPDX-License-Identifier: GPL-3.0-or-later
// Conditions that an iteration of a loop computes for the next one.
#pragma once

#include "frontend/lift/rewrites/loop_analyses.hpp"

namespace warpspan::lift {

// Replaces phis of one bit at the heads of loops by the comparisons that they are. Returns whether there was one. The
// theorem and its proof are in carried_conditions.cpp.
bool rewrite_carried_conditions(LoopAnalyses& analyses);

}  // namespace warpspan::lift
