// SPDX-License-Identifier: GPL-3.0-or-later
// How many different lines of memory a set of accesses touches.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace warpspan::lift {

// Equally spaced copies of what is there: count of them, the next one `stride` bytes behind the one before.
struct Repetition {
  int64_t stride = 0;
  int64_t count = 1;
};

// Different lines that bytes touch: at most, wherever they begin, and as counted where they begin at best. The second
// is no bound: what lies apart may have lines in common.
struct LineCount {
  int64_t most = 0, fewest = 0;
};

// Of `bytes` bytes repeated as given. Nothing where a number does not fit 64 bits.
std::optional<LineCount> lines_of(int64_t bytes, std::vector<Repetition> repetitions);

// Of so many bytes in a row, at least one.
LineCount lines_in_a_row(int64_t bytes);

}  // namespace warpspan::lift
