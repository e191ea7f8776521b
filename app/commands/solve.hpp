// warpspan solve: what all methods say about an instruction string and a number of warps, or several.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "app/cli/options.hpp"
#include "app/cli/output.hpp"
#include "app/reports/solve_report.hpp"

namespace warpspan::app {

// The settings over those of the problem file, defaults for the rest. Usage errors: no string, no warps, or what does
// not go together; and those of reading the file.
support::Result<Problem> complete_problem(const std::string& problem_file, const ProblemSettings& settings);

// The problem for one number of warps, as the solver has it.
solver::StringProblem string_problem(const Problem& problem, int64_t warps);

// Called now and then with the number of warps at work.
using ShowProgress = std::function<void(int64_t warps, const solver::Progress& progress)>;

// Solves for all numbers of warps, until `cancel` becomes true. An error says what could not be bounded.
SolveReport solve_all(Problem problem, int64_t memory, const std::atomic<bool>* cancel, const ShowProgress& show);

// colour: for the text report.
Outcome solve(const SolveOptions& options, bool colour);

}  // namespace warpspan::app
