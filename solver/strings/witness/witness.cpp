// SPDX-License-Identifier: GPL-3.0-or-later
// A witness is a schedule, and a schedule is shown, not argued for: the policies (policies.cpp, guided_search.cpp) only
// propose, and what the check of schedule.cpp, which shares nothing with them, does not accept is not reported.
#include "solver/strings/witness/witness.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "solver/makespan/assumptions.hpp"
#include "solver/strings/schedules/string.hpp"
#include "solver/strings/witness/guided_search.hpp"

namespace warpspan::solver {

using support::Integer;

namespace {

// Adversaries first: they are what the time is for if it is short.
constexpr Policy simulated[] = {
    Policy::convoy,    Policy::starve_one,   Policy::loose_round_robin, Policy::greedy_then_oldest,
    Policy::two_level, Policy::variable_rate};

Bound lower_bound() {
  Bound bound;
  bound.method = "witness";
  bound.kind = Kind::lower;
  bound.assumptions = string_model();
  return bound;
}

WitnessResult refuse(Status status, std::string remark) {
  return {without_value(lower_bound(), status, std::move(remark)), {}, {}};
}

class Finder {
 public:
  Finder(const StringProblem& problem, std::vector<int> symbols, const WitnessLimits& limits, Deadline& deadline)
      : symbols_(std::move(symbols)),
        workers_(problem.workers),
        servers_(problem.servers),
        limits_(limits),
        deadline_(deadline) {}

  WitnessResult run(const Certificate* guide) {
    in_time_ = deadline_.look();
    for (const Policy policy : simulated) {
      if (in_time_) simulate_with(policy);
    }
    if (in_time_ && fits_guided_search()) search(guide);
    return result();
  }

 private:
  void simulate_with(Policy policy) {
    const auto selector = make_selector(policy, static_cast<size_t>(workers_), symbols_, servers_.size());
    in_time_ = simulate(symbols_, static_cast<size_t>(workers_), servers_, *selector, deadline_, latest_);
    if (in_time_) consider(policy);
  }

  bool fits_guided_search() const {
    return limits_.effort > 0 && workers_ <= (int64_t{UINT32_MAX} - 1) / static_cast<int64_t>(symbols_.size());
  }

  void search(const Certificate* guide) {
    GuidedTask task;
    task.longer_than = longest();
    task.enough = limits_.enough.value_or(INT64_MAX);
    task.effort = limits_.effort;
    GuidedResult found = guided_search({symbols_, workers_, servers_}, guide, task, deadline_);
    in_time_ = found.in_time;
    if (!found.schedule) return;
    latest_ = std::move(*found.schedule);
    consider(Policy::guided);
  }

  // The latest schedule, which may be none.
  void consider(Policy policy) {
    const auto makespan = makespan_of(latest_, symbols_, servers_);
    if (!makespan) {
      rejected_.push_back(policy);
      return;
    }
    runs_.push_back({policy, *makespan});
    if (best_ && *makespan <= best_->makespan) return;
    best_ = runs_.back();
    std::swap(best_schedule_, latest_);
  }

  int64_t longest() const { return best_ ? best_->makespan : 0; }

  WitnessResult result() {
    std::string remark;
    for (const Policy policy : rejected_) {
      remark += "what " + std::string(to_string(policy)) + " gave is no schedule; ";
    }
    Bound bound = lower_bound();
    if (best_) {
      bound = with_value(std::move(bound), best_->makespan);
      remark += "a schedule of policy " + std::string(to_string(best_->policy));
    }
    if (!in_time_) remark += std::string(best_ ? "; " : "") + end_of_time(limits_.cancel);
    bound.remark = std::move(remark);
    if (!best_) bound.status = Status::not_applicable;
    if (!in_time_) bound.status = Status::time_limit;
    WitnessResult result{std::move(bound), std::nullopt, std::move(runs_)};
    if (best_) result.schedule = std::move(best_schedule_);
    return result;
  }

  std::vector<int> symbols_;
  int64_t workers_;
  const std::vector<int64_t>& servers_;
  const WitnessLimits& limits_;
  Deadline& deadline_;
  bool in_time_ = true;
  Schedule latest_;
  Schedule best_schedule_;
  std::optional<PolicyRun> best_;
  std::vector<PolicyRun> runs_;
  std::vector<Policy> rejected_;
};

WitnessResult find(const StringProblem& problem, const Certificate* guide, const WitnessLimits& limits,
                   Deadline& deadline) {
  const auto counts = validate(problem);
  if (!counts) return refuse(Status::not_applicable, counts.errors().front().message);
  if (problem.workers > limits.workers) {
    return refuse(Status::too_large, "there are more than " + std::to_string(limits.workers) +
                                         " workers: " + std::to_string(problem.workers));
  }
  const auto executions = (counts->length * Integer(problem.workers)).value();
  if (!executions || *executions > limits.executions) {
    return refuse(Status::too_large, "the workers execute more than " + std::to_string(limits.executions) + " symbols" +
                                         (executions ? ": " + std::to_string(*executions) : ""));
  }
  auto symbols = expand(problem.string, limits.executions);
  if (!symbols) return refuse(Status::too_large, "the string cannot be written out");
  return Finder(problem, std::move(*symbols), limits, deadline).run(guide);
}

}  // namespace

WitnessResult find_witness(const StringProblem& problem, const Certificate* guide, const WitnessLimits& limits) {
  Deadline deadline(limits.seconds, limits.cancel);
  WitnessResult result;
  try {
    result = find(problem, guide, limits, deadline);
  } catch (const std::bad_alloc&) {
    result = refuse(Status::too_large, "the machine has no more memory");
  }
  result.bound.seconds = deadline.elapsed();
  return result;
}

}  // namespace warpspan::solver
