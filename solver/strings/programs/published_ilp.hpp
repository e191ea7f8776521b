// SPDX-License-Identifier: GPL-3.0-or-later
// The binary program of Berezovskyi, Bletsas and Andersson (2012), figure 3, for any number of classes.
#pragma once

#include <cstdint>
#include <optional>

#include "solver/makespan/problem.hpp"
#include "solver/strings/programs/ilp.hpp"
#include "solver/strings/programs/linear_program.hpp"
#include "support/result.hpp"

namespace warpspan::solver {

// The paper's two alternatives for the condition that the schedule is work-conserving.
enum class WorkConservation : uint8_t {
  short_rows,  // one row for each worker, symbol and cycle (34, 37)
  long_rows,   // one row for each worker, class and cycle (33, 36)
};

struct PublishedIlpOptions {
  WorkConservation work_conservation = WorkConservation::short_rows;
  Horizon horizon = Horizon::safe;
  // A bound on the makespan that the caller knows to be safe, such as a certificate's: the safe horizon becomes that.
  std::optional<int64_t> known_bound = {};
  int64_t most_entries = 25'000'000;  // that rows times columns may be
};

// The program, with variables x(w,i,t) = worker w executes symbol i in cycle t, full(k,t) = class k, counted from 0,
// has no spare server in cycle t. Errors: those of validate(); a program that is too large.
support::Result<LinearProgram> build_published_ilp(const StringProblem& problem,
                                                   const PublishedIlpOptions& options = {});

// The worst-case makespan in cycles by this program. Method "ilp" with short rows, "ilp-long" with long ones.
IlpResult published_ilp(const StringProblem& problem, const ProgramLimits& limits = {},
                        const PublishedIlpOptions& options = {});

}  // namespace warpspan::solver
