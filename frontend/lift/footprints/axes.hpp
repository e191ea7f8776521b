// SPDX-License-Identifier: GPL-3.0-or-later
// Accesses as a sum of independent steps: what a box with conditions becomes where each condition is about one step.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/lift/footprints/density.hpp"

namespace warpspan::lift {

// A number u from first to last, which adds stride * u to the address. Where 1 < lanes: u modulo `lanes` is part of a
// lane's number in its warp, and the rest of u is not.
struct Axis {
  int64_t stride = 0;
  int64_t count = 1;  // u was below this before there were conditions
  int64_t lanes = 1;
  int64_t first = 0, last = 0;

  int64_t size() const { return last - first + 1; }
  bool is_of_lanes() const { return lanes == count; }
};

// Axes whose numbers together reach each point of the accesses at which the conditions hold exactly once. Nothing if
// the conditions are not of such a kind, or hold nowhere.
std::optional<std::vector<Axis>> axes_of(const Accesses& accesses);

}  // namespace warpspan::lift
