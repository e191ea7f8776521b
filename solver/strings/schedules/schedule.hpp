// SPDX-License-Identifier: GPL-3.0-or-later
// One schedule of a string problem, and whether it is one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace warpspan::solver {

// cycles[w][i] is the cycle, from 1, in which worker w executes the i-th symbol of the string.
struct Schedule {
  std::vector<std::vector<int64_t>> cycles;
};

// The makespan of a work-conserving schedule of as many workers as it has rows; nothing if it is none: if a worker does
// not execute all symbols (their classes, each with an entry in servers) in order, one per cycle at most, or if in some
// cycle a class does not execute exactly as many workers as are ready for it and it has servers; or if there are more
// than 2^32 - 1 workers. Computed from the statement of the problem alone, in integers and in the time it takes to read
// the schedule.
std::optional<int64_t> makespan_of(const Schedule& schedule, const std::vector<int>& symbols,
                                   const std::vector<int64_t>& servers);

}  // namespace warpspan::solver
