// SPDX-License-Identifier: GPL-3.0-or-later
// Sets of numbers as sums of equally spaced ones.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/lift/footprints/lines.hpp"

namespace warpspan::lift {

// Repetitions that make just these ascending numbers of the first one, each once; nothing if there are none.
std::optional<std::vector<Repetition>> repetitions_of(std::vector<int64_t> numbers);

}  // namespace warpspan::lift
