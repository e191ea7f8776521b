// SPDX-License-Identifier: GPL-3.0-or-later
// How far accesses are sure to reach.
#pragma once

#include <optional>

#include "frontend/lift/footprints/density.hpp"

namespace warpspan::lift {

// A low byte and the one behind a high byte that are accessed, where each point of the box at which every condition
// is at most 0 makes its access. Others may reach further. Nothing where no such point is found, or numbers do not fit
// 64 bits.
std::optional<Interval> sure_reach(const Accesses& accesses);

}  // namespace warpspan::lift
