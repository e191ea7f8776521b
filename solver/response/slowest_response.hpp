// SPDX-License-Identifier: GPL-3.0-or-later
// The longest responses that a search over possible runs finds: what the worst response times are at least.
#pragma once

#include "solver/response/simulation.hpp"

namespace warpspan::solver::response_times {

// How long the pieces of an operation take.
enum class Pace : uint8_t { most, least, either, any };

// A run that may happen, in full: the same scenario gives the same run.
struct Scenario {
  std::vector<int64_t> offsets;          // by task: its first release
  std::vector<int64_t> ranks;            // by task: of releases at one time, that of the smallest rank comes first
  std::vector<std::vector<Pace>> paces;  // by task and operation
  Placement placement = Placement::first_fit;
  uint32_t seed = 1;  // of random placement, and of paces `either` and `any`
};

struct SlowestResponse {
  int64_t response = 0;  // of a job of the task, in a run of the scenario
  Scenario scenario;
};

struct SearchLimits {
  int64_t runs = 2000;      // that are simulated; at least 1
  int64_t most_jobs = 500;  // of a run, of all tasks; at least 1
  uint32_t seed = 1;
  bool any_offsets = true;  // else those of the workload
};

// The releases of a scenario: jobs a period apart, up to twice the longest period or as far as `most_jobs` reach.
std::vector<Release> releases_of(const Workload& workload, const Scenario& scenario, int64_t most_jobs);

// The run of a scenario, with Run::blocks if they are stored. Errors as those of simulate.
support::Result<Run> run_of(const Workload& workload, const Scenario& scenario, const std::vector<Release>& releases,
                            bool keep_blocks = false);

// The slowest that was found, by task: random scenarios, and small changes of the slowest ones, round-robin for each
// task. Errors: the workload's, limits out of range, overflow.
support::Result<std::vector<SlowestResponse>> slowest_responses(const Workload& workload, const SearchLimits& limits);

}  // namespace warpspan::solver::response_times
