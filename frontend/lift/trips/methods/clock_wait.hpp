// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that a counter of cycles ends.
#pragma once

#include "frontend/lift/trips/guards/loop_exits.hpp"
#include "frontend/lift/trips/methods/trip_methods.hpp"

namespace warpspan::lift {

// What a loop is that goes on only while what has passed on a counter since a read before the loop compares with some
// number, the form of the theorem in clock_wait.cpp, whatever is known of the number; nothing special for others.
LoopForm clock_form(const TripContext& context);

}  // namespace warpspan::lift
