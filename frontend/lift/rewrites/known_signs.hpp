// SPDX-License-Identifier: GPL-3.0-or-later
// Selections by the sign of a number whose sign is known.
#pragma once

#include "frontend/lift/rewrites/loop_analyses.hpp"

namespace warpspan::lift {

// Replaces selections by whether a number is below 0, as those of absolute values and quotients with sign, where it
// always is or never is. Returns whether there were any.
bool rewrite_known_signs(LoopAnalyses& analyses);

}  // namespace warpspan::lift
