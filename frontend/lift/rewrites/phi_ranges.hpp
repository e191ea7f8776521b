// SPDX-License-Identifier: GPL-3.0-or-later
// What phis with edges that are never taken can be.
#pragma once

#include "frontend/lift/rewrites/loop_analyses.hpp"

namespace warpspan::lift {

// Scalar evolution takes what comes by an edge that is never taken (poison) for any number: notes the range of the
// others at each phi that has such an edge and is in no header of a loop.
void note_phi_ranges(LoopAnalyses& analyses);

}  // namespace warpspan::lift
