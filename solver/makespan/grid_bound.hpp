// SPDX-License-Identifier: GPL-3.0-or-later
// The bound for blocks of workers that a greedy dispatcher deals to sites, whatever the latencies and the policy.
#pragma once

#include "solver/makespan/problem.hpp"
#include "solver/makespan/result.hpp"

namespace warpspan::solver {

// The largest value of the theorem in grid_bound.cpp over the numbers of blocks that may follow one another, in cycles,
// with its parts; above it by less than the number of resources where that number is large. Linear in the number of
// resources whatever the number of blocks. Method "grid", or "pipeline" where blocks are dealt round-robin; kind upper,
// safe. A problem outside of the ranges of problem.hpp: not_applicable, the remark says which. Overflow: no value.
Bound grid_bound(const GridProblem& problem);

}  // namespace warpspan::solver
