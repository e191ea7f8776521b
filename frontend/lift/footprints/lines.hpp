// SPDX-License-Identifier: GPL-3.0-or-later
// How many different lines of memory a set of accesses touches at most.
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

// The most different lines that `bytes` bytes touch, wherever they begin, repeated as given. Nothing where
// the number does not fit 64 bits.
std::optional<int64_t> most_lines_of(int64_t bytes, std::vector<Repetition> repetitions);

// The most lines that so many bytes in a row can touch.
int64_t most_lines_in_a_row(int64_t bytes);

}  // namespace warpspan::lift
