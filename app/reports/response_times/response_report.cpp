// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/response_times/response_report.hpp"

#include <algorithm>

namespace warpspan::app {

std::pair<int64_t, int64_t> shown_around(const std::pair<int64_t, int64_t>& job) {
  const auto [release, end] = job;
  const int64_t more = (end - release) / 8 + 1;
  return {std::max<int64_t>(0, release - more), end > INT64_MAX - more ? INT64_MAX : end + more};
}

bool all_meet(const ResponseReport& report) {
  return std::all_of(report.tasks.begin(), report.tasks.end(), [](const TaskResponse& task) {
    return task.verdict == TaskVerdict::meets || task.verdict == TaskVerdict::bounded;
  });
}

const char* to_string(TaskVerdict verdict) {
  switch (verdict) {
    case TaskVerdict::meets: return "meets";
    case TaskVerdict::may_miss: return "may-miss";
    case TaskVerdict::misses: return "misses";
    case TaskVerdict::bounded: return "bounded";
    case TaskVerdict::no_bound: return "no-bound";
  }
  return "no-bound";
}

}  // namespace warpspan::app
