// SPDX-License-Identifier: GPL-3.0-or-later
// String problems of the sources, as they are written there, and what the solver says about them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/reports/reproduce/reproduce_report.hpp"
#include "solver/makespan/problem.hpp"
#include "solver/strings/schedules/schedule.hpp"

namespace warpspan::app {

// The string's letters L, C and S are the classes 0, 1 and 2; servers of each.
solver::StringProblem string_problem(const std::string& letters, int64_t warps,
                                     const std::vector<int64_t>& servers = {1, 1, 1});

// The worst-case makespan as exact search finds it. The problem is one of those that it can search.
int64_t exact_makespan(const solver::StringProblem& problem);

// A schedule of that makespan, drawn.
Drawing worst_schedule(const std::string& caption, const std::string& letters, const solver::StringProblem& problem);

// A schedule as sources draw it: a row for each warp, in which the n-th letter stands for cycle n and '.' for a cycle
// without one; "S" stands for "L". Its makespan, "14 cycles", or "not work-conserving".
std::string checked_schedule(const std::vector<std::string>& rows, const solver::StringProblem& problem);

}  // namespace warpspan::app
