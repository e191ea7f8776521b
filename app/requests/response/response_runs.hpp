// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of tasks: the slowest that a search finds, and those that are drawn.
#pragma once

#include <vector>

#include "app/requests/response/response_times.hpp"
#include "solver/response/slowest_response.hpp"

namespace warpspan::app {

// Fills what a report says of runs. The workload is one that bounds are found for; all must outlive this. Errors have
// no place yet.
class ResponseRuns {
 public:
  ResponseRuns(const ResponseRequest& request, const solver::response_times::Workload& workload, ResponseReport& report)
      : request_(request), workload_(workload), report_(report) {}

  // The slowest responses of as many runs as are asked for, or as can be simulated in a few seconds.
  support::Diagnostics search();
  // The timeline: jobs up to the longest period, and at least one of each task.
  support::Diagnostics draw();
  // The slowest runs that search() has found, those of tasks that miss their deadlines first.
  support::Diagnostics draw_slowest();

 private:
  support::Diagnostics too_large(const std::string& what);
  support::Diagnostics draw_slowest(size_t task);

  const ResponseRequest& request_;
  const solver::response_times::Workload& workload_;
  ResponseReport& report_;
  std::vector<solver::response_times::SlowestResponse> slowest_;  // by task
  int64_t most_jobs_ = 0;                                         // of a run of the search
};

}  // namespace warpspan::app
