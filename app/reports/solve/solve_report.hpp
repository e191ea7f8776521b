// SPDX-License-Identifier: GPL-3.0-or-later
// What 'warpspan solve' found out, as both its forms and its pictures show it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/reports/run_record.hpp"
#include "ir/instruction_string.hpp"
#include "solver/strings/solve.hpp"
#include "support/diagnostic.hpp"
#include "support/rational.hpp"

namespace warpspan::app {

// A problem for one number of warps or for several, and how to solve it: nothing is left open.
struct Problem {
  ir::InstructionString string;  // as given
  std::array<support::Rational, ir::unit_classes> sigma{support::Rational{1, 1}, {1, 1}, {1, 1}};
  ir::TransformedString transformed;
  std::vector<int64_t> warps;  // ascending, at least one
  std::vector<solver::Method> methods;
  double time_limit = 10;  // seconds for each number of warps
  solver::Horizon horizon = solver::Horizon::safe;
  bool schedule = false;
  std::optional<int64_t> target;
};

struct SolvedProblem {
  int64_t warps = 1;
  solver::Solution solution;
};

struct SolveReport {
  Problem problem;
  std::vector<SolvedProblem> solved;         // ascending; at least one, unless there are errors
  std::optional<SolvedProblem> target;       // by the methods that cost little, if asked for and not among the others
  std::optional<solver::Certificate> proof;  // the one for the most warps that have one
  bool interrupted = false;                  // by the user: some results are missing
  support::Diagnostics errors;
  RunRecord run = {};
};

// Whether the report is about several numbers of warps.
inline bool is_sweep(const SolveReport& report) { return report.problem.warps.size() > 1; }

// The first result of a method, or null.
const solver::Bound* result_of(const solver::Solution& solution, solver::Method method);

// The worst case, if it is known.
std::optional<int64_t> exact_value(const solver::Solution& solution);

// The time that went into the exact value: of the exact search and, where they are listed, of the schedules and the
// certificate that help it or make it needless.
double exact_seconds(const solver::Solution& solution);

// "T(W) <= 4W + 1 for every W >= 2", "T(W) <= 9 for W = 2".
std::string line_text(const solver::Line& line);

// A letter for each symbol of the string that the solution's schedule is of; nothing where there is none, or where it
// has more than so many cells to draw.
std::optional<std::string> schedule_classes(const SolveReport& report, const solver::Solution& solution,
                                            int64_t most_cells);

// One point of the published approximation (Berezovskyi et al. 2012, equations 42-43 and figures 6, 7).
struct Estimate {
  int64_t warps = 0;                // x
  int64_t exact = 0;                // T(x)
  double seconds = 0;               // that T(x) took to find, as exact_seconds() has it
  std::optional<int64_t> estimate;  // ceil(target / x) * T(x); none where it exceeds 2^63-1
  std::optional<int64_t> smallest;  // of all estimates up to here
};

// What the numbers of warps x <= target whose worst case is known say about that of `target` warps. Not a bound.
std::vector<Estimate> estimates(const SolveReport& report, int64_t target);

// What the estimates are for: the target asked for, or else the most warps of the report.
const SolvedProblem& target_of(const SolveReport& report);

}  // namespace warpspan::app
