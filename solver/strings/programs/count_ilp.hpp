// SPDX-License-Identifier: GPL-3.0-or-later
// An integer program for the worst-case makespan that counts workers instead of naming them: it has the published
// program's optimum without the W! numberings of the workers of a schedule.
#pragma once

#include <cstdint>
#include <optional>

#include "solver/makespan/problem.hpp"
#include "solver/strings/programs/ilp.hpp"
#include "solver/strings/programs/linear_program.hpp"
#include "support/result.hpp"

namespace warpspan::solver {

struct CountIlpOptions {
  // A bound on the makespan that the caller knows to be safe, such as a certificate's. A smaller horizon makes the
  // program easier; one that is not safe makes it wrong. Without it the list bound is the horizon.
  std::optional<int64_t> known_bound;
  int64_t most_entries = 25'000'000;  // that rows times columns may be
};

// The program, with variables a(i,t) = workers that execute symbol i in cycle t, n(i,t) = workers that have symbol i
// next at its begin, full(k,t) = class k, counted from 0, has no spare server in it, open(t) = not all have ended
// before it. Errors: those of validate(); a program that is too large.
support::Result<LinearProgram> build_count_ilp(const StringProblem& problem, const CountIlpOptions& options = {});

// The worst-case makespan in cycles by this program. Method "ilp-count".
IlpResult count_ilp(const StringProblem& problem, const ProgramLimits& limits = {},
                    const CountIlpOptions& options = {});

}  // namespace warpspan::solver
