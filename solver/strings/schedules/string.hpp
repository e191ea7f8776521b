// SPDX-License-Identifier: GPL-3.0-or-later
// Questions about a string that are answered without writing out its repetitions: what it costs depends on how it is
// written, never on how long it is.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solver/makespan/problem.hpp"
#include "support/checked.hpp"
#include "support/result.hpp"

namespace warpspan::solver {

// Groups within groups that a valid string may have. A reader of strings must stop at it before it builds the string:
// copying and destroying a String costs a stack frame a level.
inline constexpr int64_t deepest_nesting = 250;

struct SymbolCounts {
  std::vector<support::Integer> of_class;  // one entry per class
  support::Integer length;                 // of all classes
};

// Checks everything that problem.hpp demands, and the nesting. The symbols of the string, counted; or one usage error
// for each part (string, workers, servers) that is wrong. Any depth of nesting is safe to pass.
support::Result<SymbolCounts> validate(const StringProblem& problem);

// The symbols of a valid string, each class below `classes`.
SymbolCounts count_symbols(const String& string, size_t classes);

// The classes of a valid string's symbols in order; nothing if there are more than `limit`.
std::optional<std::vector<int>> expand(const String& string, int64_t limit);

}  // namespace warpspan::solver
