// SPDX-License-Identifier: GPL-3.0-or-later
// The strongest of the adversaries: slow schedules sought among many, guided by what a bound still expects of a state.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solver/strings/certificate/certificate.hpp"
#include "solver/strings/schedules/deadline.hpp"
#include "solver/strings/schedules/schedule.hpp"

namespace warpspan::solver {

struct GuidedProblem {
  const std::vector<int>& symbols;  // not empty, each with an entry in servers
  int64_t workers;                  // at least 1; workers * symbols at most 2^32 - 2
  const std::vector<int64_t>& servers;
};

struct GuidedTask {
  int64_t longer_than = 0;  // cycles; only schedules longer than that are of interest
  int64_t enough = 0;       // cycles; the search ends at a schedule that is at least that long
  int64_t effort = 0;       // entries of states that the search may look at, about 10^9 in two seconds
};

struct GuidedResult {
  std::optional<Schedule> schedule;  // the longest one found, if any is long enough to be of interest
  bool in_time = true;               // false: the deadline ended the search
};

// A certificate of the problem guides the search better than none (null) or one that is not accepted. The same result
// for the same input unless the deadline ends the search.
GuidedResult guided_search(const GuidedProblem& problem, const Certificate* guide, const GuidedTask& task,
                           Deadline& deadline);

}  // namespace warpspan::solver
