// SPDX-License-Identifier: GPL-3.0-or-later
// The list-scheduling bound: safe for every problem, computed in no time.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/makespan/problem.hpp"
#include "solver/makespan/result.hpp"

namespace warpspan::solver {

// Workers whose strings may differ, known only by what no string exceeds. The maxima need not belong to one string.
struct PathMaxima {
  int64_t length = 0;            // the most symbols that a worker executes, at least 0
  std::vector<int64_t> symbols;  // one entry per class: the most symbols of it that a worker executes, at least 0
  int64_t workers = 1;           // at least 1
  std::vector<int64_t> servers;  // as many entries as symbols, at least 1 each
  // The most workers that run one after another because later ones start only when earlier ones have ended: 1 ..
  // workers.
  int64_t chain = 1;
};

// I + sum over classes k of floor((W - 1) * I_k / servers_k), in cycles; W workers, a string of I symbols, I_k of class
// k. Method "list", kind upper, safe. A problem that validate() refuses: not_applicable. Overflow: no value.
Bound list_bound(const StringProblem& problem);

// q * I + sum over classes k of floor((W - q) * I_k / servers_k), q the chain, I and I_k the maxima. Method "list",
// kind upper, safe. Maxima outside of their ranges: not_applicable. Overflow: no value.
Bound list_bound(const PathMaxima& maxima);

}  // namespace warpspan::solver
