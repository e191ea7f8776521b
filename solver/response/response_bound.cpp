// SPDX-License-Identifier: GPL-3.0-or-later
// The theorem of recurrence.cpp asks for R with F(R) <= R. F never falls where R rises, so all bounds start small and
// are raised until nothing changes. A bound that goes on rising is given up, which is safe at any time: it counts as
// infinite from then on.
#include "solver/response/response_bound.hpp"

#include <algorithm>

#include "solver/response/recurrence.hpp"
#include "support/checked.hpp"

namespace warpspan::solver::response_times {

using support::Result;
using support::usage_error;
using support::WideInteger;

namespace {

constexpr int64_t most_rounds = 2000;
constexpr int64_t most_effort = 1'000'000'000;  // iterations times tasks times operations: about a minute or two
constexpr int64_t most_periods = 1000;

support::Diagnostic too_many(size_t most, const std::string& what) {
  return usage_error("bounds are found for at most " + std::to_string(most) + " " + what);
}

support::Diagnostics errors_for_bounds(const Workload& workload) {
  if (auto errors = errors_in(workload); !errors.empty()) return errors;
  size_t operations = 0;
  for (const Task& task : workload.tasks) operations += task.operations.size();
  if (workload.tasks.size() > most_tasks) return {too_many(most_tasks, "tasks")};
  if (operations > most_operations) return {too_many(most_operations, "operations")};
  return {};
}

// No bound beyond a thousand times the longest of all periods, deadlines and work of tasks is of use.
int64_t most_response(const Workload& workload) {
  WideInteger most = 1;
  for (const Task& task : workload.tasks) {
    most = max(most, max(WideInteger(task.period.value_or(1)), task.deadline.value_or(1)));
    WideInteger work = 0;
    for (const Operation& operation : task.operations) {
      const auto* copy = std::get_if<Copy>(&operation);
      const auto* kernel = std::get_if<Kernel>(&operation);
      work += copy ? WideInteger(copy->time) : WideInteger(kernel->blocks) * kernel->block_time;
    }
    most += task.period ? WideInteger(0) : work;
    most = max(most, work);
  }
  const auto value = (most * most_periods).value();
  return value && *value < INT64_MAX ? static_cast<int64_t>(*value) : INT64_MAX;
}

// Near overload bounds rise in many small steps. At least 20 are tried.
int64_t rounds_for(const Workload& workload) {
  int64_t operations = 0;
  for (const Task& task : workload.tasks) operations += static_cast<int64_t>(task.operations.size());
  const int64_t effort = std::max<int64_t>(1, operations) * static_cast<int64_t>(workload.tasks.size());
  return std::clamp<int64_t>(most_effort / std::max<int64_t>(1, effort), 20, most_rounds);
}

Bounds least_fixed_point(Recurrence& recurrence, const Workload& workload) {
  Bounds bounds(workload.tasks.size(), 1);
  const int64_t rounds = rounds_for(workload);
  const int64_t most = most_response(workload);
  bool changed = true;
  for (int64_t round = 0; changed; ++round) {
    changed = false;
    for (size_t task = 0; task < bounds.size(); ++task) {
      if (!bounds[task]) continue;
      const auto next = recurrence.next(task, bounds);
      if (next && *next <= *bounds[task]) continue;
      changed = true;
      const bool goes_on = next && *next <= most && round < rounds;
      bounds[task] = goes_on ? next : std::nullopt;
    }
  }
  return bounds;
}

// Which jobs may pile up: of the first other task without bound that a task waits for, or else its own.
std::string what_piles_up(const Workload& workload, const Recurrence& recurrence, const Bounds& bounds, size_t task) {
  const Task& own = workload.tasks[task];
  for (size_t j = 0; j < bounds.size(); ++j) {
    const Task& other = workload.tasks[j];
    if (j == task || bounds[j] || !other.period) continue;
    const std::string name = other.name.empty() ? "task " + std::to_string(j + 1) : "task '" + other.name + "'";
    if (recurrence.stream_of(j) == recurrence.stream_of(task)) return "jobs of " + name + " may pile up in its stream";
    if (workload.gpu.null_stream == NullStream::legacy) return "jobs of " + name + " may pile up before it";
    if (other.priority > own.priority) return "jobs of " + name + ", of larger priority, may pile up";
  }
  return own.period ? "its jobs may pile up: what is found as its bound goes on rising"
                    : "what is found as its bound goes on rising";
}

void add_loads(const Workload& workload, Responses& responses) {
  for (size_t i = 0; i < workload.tasks.size(); ++i) {
    responses.tasks[i].utilisation = utilisation_of(workload.gpu, workload.tasks[i]);
    responses.utilisation = responses.utilisation + responses.tasks[i].utilisation;
  }
}

std::string why(const std::string& piles_up, const std::string& overload) {
  return overload.empty() ? piles_up : piles_up + "; utilisation above 1: " + overload;
}

Verdict verdict_of(const Task& task, const std::optional<int64_t>& bound) {
  if (!bound) return Verdict::no_bound;
  const auto deadline = deadline_of(task);
  if (!deadline) return Verdict::bounded;
  return *bound <= *deadline ? Verdict::meets_deadline : Verdict::may_miss;
}

}  // namespace

Result<Responses> response_bounds(const Workload& workload) {
  if (auto errors = errors_for_bounds(workload); !errors.empty()) return errors;
  Recurrence recurrence(workload, most_response(workload));
  const Bounds bounds = least_fixed_point(recurrence, workload);
  const Demand demand(workload);
  Responses responses;
  for (size_t i = 0; i < bounds.size(); ++i) {
    ResponseBound bound{bounds[i], verdict_of(workload.tasks[i], bounds[i]), {}, {}};
    if (!bounds[i]) bound.reason = why(what_piles_up(workload, recurrence, bounds, i), demand.overload(i));
    responses.tasks.push_back(std::move(bound));
  }
  add_loads(workload, responses);
  return responses;
}

std::vector<Term> terms_of(const Workload& workload, const Responses& responses, size_t task) {
  Bounds bounds;
  for (const ResponseBound& bound : responses.tasks) bounds.push_back(bound.response);
  return bounds[task] ? Recurrence(workload, most_response(workload)).terms(task, bounds) : std::vector<Term>();
}

}  // namespace warpspan::solver::response_times
