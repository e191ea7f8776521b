// The exact worst-case makespan of a string problem, by a search over all work-conserving schedules.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

#include "solver/problem.hpp"
#include "solver/result.hpp"

namespace warpspan::solver {

struct SearchLimits {
  int64_t memory = int64_t{1} << 30;  // bytes that the search may hold
  double seconds = std::numeric_limits<double>::infinity();
  const std::atomic<bool>* cancel = nullptr;  // ends the search soon after it becomes true
};

struct SearchStatistics {
  int64_t states = 0;           // states visited, each once
  int64_t steps = 0;            // steps followed from them
  int64_t resident_states = 0;  // the most states held at a time
  int64_t memory = 0;           // the most bytes held at a time
};

struct SearchResult {
  Bound bound;
  SearchStatistics statistics;  // of the part that was searched
};

// The worst-case makespan in cycles. Method "exact", kind exact, safe. Value and statistics are the same in every run
// that ends within its limits. No value, and the remark says which limit it was: too_large (memory, length of the
// string, number of cycles), time_limit (seconds or cancel). A problem that validate() refuses: not_applicable.
// Overflow: no value.
SearchResult exact_search(const StringProblem& problem, const SearchLimits& limits = {});

}  // namespace warpspan::solver
