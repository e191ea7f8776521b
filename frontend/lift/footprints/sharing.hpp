// SPDX-License-Identifier: GPL-3.0-or-later
// How many of equally spaced things one line of memory can be part of.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/lift/footprints/lines.hpp"

namespace warpspan::lift {

// The most copies of `bytes` bytes in a row that one line touches, wherever the first begins: each combination of the
// repetitions is a copy, and strides may be 0 or negative. INT64_MAX where the number does not fit.
int64_t most_at_a_line(int64_t bytes, std::vector<Repetition> repetitions);

// The same where one of the copies begins `first` bytes after the beginning of a line, or before it where that is
// negative.
int64_t most_at_a_line_from(int64_t first, int64_t bytes, const std::vector<Repetition>& repetitions);

}  // namespace warpspan::lift
