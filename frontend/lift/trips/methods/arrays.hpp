// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that go through an array whose size is known.
#pragma once

#include <string>
#include <vector>

#include "frontend/lift/trips/methods/trip_methods.hpp"

namespace warpspan::lift {

// Options that give sizes of arrays which bound the loop, as they are typed, whatever is given.
std::vector<std::string> array_options(const TripContext& context);

}  // namespace warpspan::lift
