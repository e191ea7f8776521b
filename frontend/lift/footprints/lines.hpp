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

// So many bytes from `start` on, and their repetitions.
struct Rows {
  int64_t start = 0, bytes = 1;
  std::vector<Repetition> repetitions = {};
};

// Rows that cover `bytes` bytes from `start` on repeated as given, each stride once and positive. Nothing where a
// number does not fit 64 bits, as below.
std::optional<Rows> rows_of(int64_t start, int64_t bytes, std::vector<Repetition> repetitions);

// Of rows, each stride of them once and positive.
std::optional<LineCount> lines_of(const Rows& rows);

// Of `bytes` bytes repeated as given.
std::optional<LineCount> lines_of(int64_t bytes, std::vector<Repetition> repetitions);

// Of all of them together, at most: those of rows_of.
std::optional<int64_t> most_lines_of(std::vector<Rows> sets);

// Of so many bytes in a row, at least one.
LineCount lines_in_a_row(int64_t bytes);

}  // namespace warpspan::lift
