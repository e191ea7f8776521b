// SPDX-License-Identifier: GPL-3.0-or-later
// The tractable approximation of Berezovskyi, Bletsas and Andersson (2012), as they print it.
#pragma once

#include <cstdint>

#include "solver/makespan/problem.hpp"
#include "solver/makespan/result.hpp"
#include "solver/strings/search/exact_search.hpp"

namespace warpspan::solver {

struct TractableLimits {
  int64_t states = 2'000'000;  // that all problems solved exactly may have
  SearchLimits search;         // of each of them
};

// Their equations 42-43: the least ceil(W / y) * T(y) over y = 1 .. x, in cycles, where T(y) is the exact worst-case
// makespan of y workers. x is as large as the limit on states lets it be, W at most; the remark states how large, and
// why it is what it is where time or memory ended it earlier. Method "tractable", kind published, never safe. A problem
// that validate() refuses: not_applicable. Overflow: no value.
Bound tractable_bound(const StringProblem& problem, const TractableLimits& limits = {});

}  // namespace warpspan::solver
