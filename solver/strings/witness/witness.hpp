// SPDX-License-Identifier: GPL-3.0-or-later
// How slow a schedule can be found: a bound is worth what a schedule near it shows.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "solver/makespan/problem.hpp"
#include "solver/makespan/result.hpp"
#include "solver/strings/certificate/certificate.hpp"
#include "solver/strings/schedules/schedule.hpp"
#include "solver/strings/witness/policies.hpp"

namespace warpspan::solver {

struct WitnessLimits {
  int64_t workers = 1'000'000;      // each takes up to 200 bytes
  int64_t executions = 20'000'000;  // workers times symbols; each takes up to 40 bytes
  int64_t effort = 300'000'000;     // of the guided search, see guided_search.hpp; 0: it is left out
  double seconds = std::numeric_limits<double>::infinity();
  const std::atomic<bool>* cancel = nullptr;  // ends the search soon after it becomes true
  // Cycles. The guided search ends as soon as a schedule is that long: a safe bound is the most there can be.
  std::optional<int64_t> enough;
};

// The makespan that a policy leads to, in cycles.
struct PolicyRun {
  Policy policy;
  int64_t makespan;
};

struct WitnessResult {
  // The makespan of the longest schedule found, in cycles. Method "witness", kind lower, not safe; the remark names the
  // policy. Status time_limit if more might have been found; then there may be a value or none.
  Bound bound;
  std::optional<Schedule> schedule;  // that one
  // All policies in the order in which they ran; guided only if it has found a longer schedule than all others.
  std::vector<PolicyRun> runs;
};

// Simulates schedules of the problem that are slow, or as schedulers of real machines make them. All that is reported
// has passed makespan_of() (schedule.hpp). `guide` is a certificate of the same string and servers, or null; it makes
// the guided search better and nothing wrong if it is not one. The same result for the same input, whatever the
// machine, if the time suffices. A problem that validate() refuses: not_applicable. More workers or
// executions than allowed: too_large.
WitnessResult find_witness(const StringProblem& problem, const Certificate* guide, const WitnessLimits& limits = {});

}  // namespace warpspan::solver
