// SPDX-License-Identifier: GPL-3.0-or-later
// The bound for blocks of workers that start in groups, whichever sites these come to.
#pragma once

#include "solver/makespan/problem.hpp"
#include "solver/makespan/result.hpp"

namespace warpspan::solver {

// The theorem in group_bound.cpp: a group is a block of the problem, of `workers` workers on whichever sites. Sites,
// slots and copies are not read, demand_elsewhere and ResourceDemand::interval neither; Partial::block is of a group.
// Method "grid", kind upper, safe. A number below its range: not_applicable. Overflow: no value.
Bound group_bound(const GridProblem& problem);

}  // namespace warpspan::solver
