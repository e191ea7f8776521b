// SPDX-License-Identifier: GPL-3.0-or-later
// Where accesses of machine code go, from those of the PTX that it was made of.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontend/beside/places.hpp"
#include "frontend/beside/trips.hpp"

namespace warpspan::beside {

// Whether each access of the machine code that has a line of the PTX is at one that accesses memory: if not, the lines
// are not those of this PTX.
bool lines_fit(const Places& code, const Places& ptx);

// Gives accesses of the machine code to global and shared memory what is known of those of the PTX at their lines,
// where it is more. `names`: what objects of the PTX are called in the machine code, if it is another name. Returns of
// which instructions something was carried.
std::vector<ir::InstructionId> carry_accesses(const Places& code, const Places& ptx, const LoopMatches& matches,
                                              const std::map<std::string, std::string>& names, ir::Flow& flow);

}  // namespace warpspan::beside
