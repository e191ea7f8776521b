// The bound for blocks of workers that start in groups, which come to sites in whatever way.
#pragma once

#include "solver/makespan/problem.hpp"
#include "solver/makespan/result.hpp"

namespace warpspan::solver {

// The theorem in group_bound.cpp: a group is a block of the problem, of `workers` workers on whichever sites. Sites,
// places and copies are not asked for, demand_elsewhere and of_piece neither; Split::block is of a group. Method
// "grid", kind upper, safe. A number below its range: not_applicable. Overflow: no value.
Bound group_bound(const GridProblem& problem);

}  // namespace warpspan::solver
