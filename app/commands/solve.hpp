// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan solve: what all methods say about an instruction string and a number of warps, or several.
#pragma once

#include <string>

#include "app/cli/option_set.hpp"
#include "app/cli/solve_values.hpp"
#include "app/reports/solve/solve_report.hpp"
#include "support/result.hpp"

namespace warpspan::app {

// The options that say what is to be solved, and how; problem_file stays empty where none is given.
void add_problem(OptionSet& set, std::string& problem_file, ProblemSettings& settings);

// The settings over those of the problem file, defaults for the rest. Usage errors: no string, no warps, or what does
// not go together; and those of reading the file ("-": standard input), which becomes an input of the run.
support::Result<Problem> complete_problem(const std::string& problem_file, const ProblemSettings& settings,
                                          RunRecord& run);

}  // namespace warpspan::app
