// SPDX-License-Identifier: GPL-3.0-or-later
// Solves string problems: what 'warpspan solve' reports.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "app/reports/solve/solve_report.hpp"

namespace warpspan::app {

// The problem for one number of warps, as the solver has it.
solver::StringProblem string_problem(const Problem& problem, int64_t warps);

// Called now and then with the number of warps at work.
using ShowProgress = std::function<void(int64_t warps, const solver::Progress& progress)>;

// Solves for all numbers of warps with so many bytes for each search, until `cancel`, if there is one, becomes true. An
// error says what could not be bounded.
SolveReport solve_all(Problem problem, int64_t memory, const std::atomic<bool>* cancel, const ShowProgress& show);

// Whether the methods asked for did what they are for: one gives a safe upper bound, or all give their answer.
bool is_bounded(const solver::Solution& solution);

}  // namespace warpspan::app
