// SPDX-License-Identifier: GPL-3.0-or-later
// A call of solve() while its methods work: what they know from one another, and the time and the memory they share.
#pragma once

#include <cstdint>
#include <optional>

#include "solver/makespan/problem.hpp"
#include "solver/makespan/result.hpp"
#include "solver/strings/certificate/certificate_bound.hpp"
#include "solver/strings/methods.hpp"
#include "solver/strings/programs/linear_program.hpp"
#include "solver/strings/schedules/deadline.hpp"
#include "solver/strings/schedules/schedule.hpp"
#include "solver/strings/search/exact_search.hpp"
#include "solver/strings/solve.hpp"
#include "solver/strings/witness/witness.hpp"

namespace warpspan::solver {

class Run {
 public:
  // Both must outlive it.
  Run(const StringProblem& problem, const SolveOptions& options);

  const StringProblem& problem;
  const SolveOptions& options;

  // Known before the methods work: the list bound always, the others where a method needs them, otherwise empty.
  Bound list;
  CertificateResult certificate;
  WitnessResult witness;

  Solution solution;  // so far

  bool wants(Method method) const;
  bool is_solved() const { return solution.lower && solution.lower == solution.upper; }
  const Certificate* known_certificate() const;

  // Of the seconds that are left, what a method may take: each slow one behind it gets as much.
  double share(Method method) const;
  // Limits with the method's share of the time.
  CertificateLimits certificate_limits(Method method) const;
  SearchLimits search_limits(Method method) const;
  ProgramLimits program_limits(Method method) const;

  // Tells whoever watches that the method is at work.
  void show(Method method, std::optional<double> fraction = {}) const;

  // Narrows the bracket by what the value proves of the worst case.
  void consider(const Bound& bound);
  void raise_lower(int64_t makespan);  // of a schedule that exists
  // Keeps the schedule if schedules are asked for and it is the longest so far.
  void offer(std::optional<Schedule> schedule, int64_t makespan, Method method);
  // Lists the result without considering it.
  void list_result(Bound bound);
  // Considers and lists it.
  void report(Bound bound);

 private:
  Deadline deadline_;
  int64_t longest_schedule_ = 0;
};

}  // namespace warpspan::solver
