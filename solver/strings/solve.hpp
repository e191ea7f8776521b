// SPDX-License-Identifier: GPL-3.0-or-later
// Everything the methods of this folder find of one string problem, found side by side within one time limit.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "solver/makespan/problem.hpp"
#include "solver/makespan/result.hpp"
#include "solver/strings/bounds/raravi.hpp"
#include "solver/strings/certificate/certificate.hpp"
#include "solver/strings/methods.hpp"
#include "solver/strings/programs/ilp.hpp"
#include "solver/strings/schedules/schedule.hpp"
#include "solver/strings/search/exact_search.hpp"
#include "solver/strings/witness/witness.hpp"
#include "support/result.hpp"

namespace warpspan::solver {

struct Progress {
  Method method;                        // that is at work
  std::optional<double> fraction;       // of its work, 0 .. 1, if it reports that
  std::optional<int64_t> lower, upper;  // of the worst-case makespan, as known by now
};

struct SolveOptions {
  std::vector<Method> methods = all_methods();
  double seconds = 10;                // in all
  int64_t memory = int64_t{1} << 30;  // bytes, for each method
  unsigned threads = 0;               // of the exact search; 0: as many as the machine has
  bool schedule = false;              // asks for Solution::schedule
  bool thorough = true;               // where a gap is left, the time left goes into a better certificate
  Horizon horizon = Horizon::safe;    // of the published integer program
  TemplateRoles roles;
  const std::atomic<bool>* cancel = nullptr;           // ends soon after it becomes true, with what is known by then
  std::function<void(const Progress&)> progress = {};  // called now and then by the calling thread
};

struct Solution {
  // One for each method asked for, in their order; an integer program that ran out of time may have two, the second
  // one of kind lower. A published value that is below a schedule has that in its remark.
  std::vector<Bound> results;
  // lower <= worst-case makespan <= upper: the longest schedule that was checked, and the least value that is safe by
  // exact arithmetic alone. Equal if the worst case is known. Both rest on what the methods asked for needed.
  std::optional<int64_t> lower, upper;
  std::optional<Schedule> schedule;        // whose makespan `lower` is, if asked for and not too large
  std::optional<Method> schedule_by;       // the method that found it
  std::optional<Certificate> certificate;  // if asked for and there is one
  std::optional<Line> line;                // that it proves
  std::vector<PolicyRun> policies;         // what the witness tried, if asked for
  SearchStatistics search;                 // of the exact search
};

// Results never contradict each other: if a schedule is longer than a safe bound, that is an internal error. Other
// errors: those of validate(). Values are the same in every run in which no method runs out of time.
support::Result<Solution> solve(const StringProblem& problem, const SolveOptions& options = {});

}  // namespace warpspan::solver
