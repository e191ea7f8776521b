// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/response/response_runs.hpp"

#include <algorithm>

#include "app/reports/readable.hpp"
#include "support/checked.hpp"

namespace warpspan::app {

namespace rt = solver::response_times;
using support::Diagnostics;
using support::Integer;

namespace {

constexpr int64_t most_jobs_of_search = 500;
constexpr int64_t most_jobs_of_timeline = 10'000;
constexpr int64_t most_blocks_of_timeline = 1'000'000;
constexpr size_t most_slowest_runs = 8;
constexpr int64_t most_effort = 1'000'000'000;  // of all runs, in steps of some nanoseconds
constexpr int64_t effort_of_piece = 10;

// Blocks and copies of these jobs; overflowed where it is out of question to look at them.
Integer pieces_of(const rt::Workload& workload, const std::vector<rt::Release>& releases) {
  Integer pieces;
  for (const rt::Release& release : releases) {
    for (const rt::Operation& operation : workload.tasks[release.task].operations) {
      const auto* kernel = std::get_if<rt::Kernel>(&operation);
      pieces += kernel == nullptr ? 1 : kernel->blocks;
    }
  }
  return pieces;
}

}  // namespace

Diagnostics ResponseRuns::search() {
  rt::SearchLimits limits;
  limits.most_jobs = std::max(most_jobs_of_search, 2 * static_cast<int64_t>(workload_.tasks.size()));
  rt::Scenario first;
  for (const rt::Task& task : workload_.tasks) first.offsets.push_back(task.offset);
  first.ranks.resize(workload_.tasks.size());
  const auto releases = rt::releases_of(workload_, first, limits.most_jobs);
  const auto effort = (pieces_of(workload_, releases) * (workload_.gpu.multiprocessors + effort_of_piece) +
                       Integer(static_cast<int64_t>(releases.size())) * static_cast<int64_t>(first.offsets.size()))
                          .value();
  if (!effort) return {};
  limits.runs = std::min(request_.runs, most_effort / std::max<int64_t>(1, *effort));
  if (limits.runs < 1) return {};
  auto slowest = rt::slowest_responses(workload_, limits);
  if (!slowest) return slowest.errors();
  report_.runs = limits.runs;
  most_jobs_ = limits.most_jobs;
  slowest_ = std::move(*slowest);
  for (size_t i = 0; i < report_.tasks.size(); ++i) {
    if (slowest_[i].response > 0) report_.tasks[i].slowest = slowest_[i].response;
  }
  return {};
}

Diagnostics ResponseRuns::draw_slowest() {
  std::vector<size_t> order;
  for (size_t i = 0; i < report_.tasks.size(); ++i) {
    if (report_.tasks[i].slowest) order.push_back(i);
  }
  const auto meets = [this](size_t task) { return report_.tasks[task].verdict != TaskVerdict::misses; };
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return meets(a) < meets(b); });
  if (order.size() > most_slowest_runs) {
    report_.not_drawn.push_back("the slowest runs of " + std::to_string(order.size() - most_slowest_runs) +
                                " more tasks are not drawn");
    order.resize(most_slowest_runs);
  }
  for (const size_t task : order) {
    if (Diagnostics errors = draw_slowest(task); !errors.empty()) return errors;
  }
  return {};
}

Diagnostics ResponseRuns::draw_slowest(size_t task) {
  const rt::Scenario& scenario = slowest_[task].scenario;
  std::vector<rt::Release> releases = rt::releases_of(workload_, scenario, most_jobs_);
  const auto pieces = pieces_of(workload_, releases).value();
  if (!pieces || *pieces > most_blocks_of_timeline) {
    report_.not_drawn.push_back("the slowest run of " + workload_.tasks[task].name + " has more than " +
                                thousands(most_blocks_of_timeline) + " blocks");
    return {};
  }
  auto run = rt::run_of(workload_, scenario, releases, true);
  if (!run) return run.errors();
  size_t job = 0;
  while (releases[job].task != task || run->finish[job] - releases[job].time != slowest_[task].response) ++job;
  const auto [from, to] = shown_around({releases[job].time, run->finish[job]});
  std::erase_if(run->blocks,
                [from = from, to = to](const rt::BlockRun& block) { return block.end <= from || block.start >= to; });
  report_.tasks[task].slowest_run = SlowestRun{{std::move(releases), std::move(*run)}, job};
  return {};
}

// What is too large is an error only if it must be there.
Diagnostics ResponseRuns::too_large(const std::string& what) {
  if (request_.timeline) {
    return {support::usage_error(what, "leave --timeline out, and give another format than svg")};
  }
  report_.not_drawn.push_back(what);
  return {};
}

Diagnostics ResponseRuns::draw() {
  Integer end = 1;
  for (const rt::Task& task : workload_.tasks) {
    end = max(end, max(Integer(task.period.value_or(1)), Integer(task.offset) + 1));
  }
  const auto releases = rt::periodic_releases(workload_, end.value().value_or(INT64_MAX), most_jobs_of_timeline);
  if (!releases) return too_large("the timeline has more than " + std::to_string(most_jobs_of_timeline) + " jobs");
  const auto pieces = pieces_of(workload_, *releases).value();
  if (!pieces || *pieces > most_blocks_of_timeline) {
    return too_large("the timeline has more than " + std::to_string(most_blocks_of_timeline) + " blocks");
  }
  rt::RunOptions options;
  options.keep_blocks = true;
  auto run = rt::simulate(workload_, *releases, options);
  if (!run) return run.errors();
  report_.timeline = Timeline{*releases, std::move(*run)};
  return {};
}

}  // namespace warpspan::app
