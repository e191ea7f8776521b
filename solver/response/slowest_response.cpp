// SPDX-License-Identifier: GPL-3.0-or-later
// A run is what is simulated, so every response found is one that may happen; that none is longer is not claimed.
#include "solver/response/slowest_response.hpp"

#include <algorithm>
#include <functional>
#include <random>
#include <utility>

#include "support/checked.hpp"
#include "support/mixed.hpp"

namespace warpspan::solver::response_times {

using support::Integer;
using support::mixed;
using support::Result;
using support::usage_error;

namespace {

// Of std::mt19937 only the numbers are the same everywhere, distributions are not.
class Choice {
 public:
  explicit Choice(uint32_t seed) : random_(seed) {}
  int64_t below(int64_t n) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(n)); }
  size_t index(size_t n) { return static_cast<size_t>(below(static_cast<int64_t>(n))); }
  uint32_t number() { return static_cast<uint32_t>(random_()); }

 private:
  std::mt19937_64 random_;
};

// One that looks random for each piece.
uint64_t number_of(const Piece& piece, uint32_t seed) {
  return mixed(mixed(mixed(mixed(seed) + piece.job) + piece.operation) + static_cast<uint64_t>(piece.block));
}

int64_t most_time(const Operation& operation) {
  const auto* copy = std::get_if<Copy>(&operation);
  return copy ? copy->time : std::get<Kernel>(operation).block_time;
}

int64_t time_at(Pace pace, int64_t most, uint64_t number) {
  switch (pace) {
    case Pace::most: return most;
    case Pace::least: return 1;
    case Pace::either: return number % 2 == 0 ? most : 1;
    case Pace::any: return 1 + static_cast<int64_t>(number % static_cast<uint64_t>(most));
  }
  return most;
}

class Search {
 public:
  Search(const Workload& workload, const SearchLimits& limits)
      : workload_(workload), limits_(limits), choice_(limits.seed), slowest_(workload.tasks.size()) {}

  Result<std::vector<SlowestResponse>> run() {
    for (int64_t run = 0; run < limits_.runs && !slowest_.empty(); ++run) {
      const auto target = static_cast<size_t>(run) % slowest_.size();
      const bool fresh = slowest_[target].response == 0 || choice_.below(4) == 0;
      const Scenario scenario = run == 0 ? plain() : fresh ? random_scenario() : changed(slowest_[target].scenario);
      if (auto errors = try_out(scenario); !errors.empty()) return errors;
    }
    return std::move(slowest_);
  }

 private:
  support::Diagnostics try_out(const Scenario& scenario) {
    const auto releases = releases_of(workload_, scenario, limits_.most_jobs);
    const auto run = run_of(workload_, scenario, releases);
    if (!run) return run.errors();
    for (size_t job = 0; job < releases.size(); ++job) {
      SlowestResponse& slowest = slowest_[releases[job].task];
      const int64_t response = run->finish[job] - releases[job].time;
      // The same response from another scenario leads elsewhere.
      if (response >= slowest.response) slowest = {response, scenario};
    }
    return {};
  }

  // Everything takes its most, as published analyses have it.
  Scenario plain() const {
    Scenario scenario;
    for (const Task& task : workload_.tasks) {
      scenario.offsets.push_back(task.offset);
      scenario.ranks.push_back(0);
      scenario.paces.emplace_back(task.operations.size(), Pace::most);
    }
    return scenario;
  }

  Scenario random_scenario() {
    Scenario scenario = plain();
    const int64_t spread = 1 + choice_.below(4);
    for (size_t task = 0; task < scenario.offsets.size(); ++task) {
      scenario.offsets[task] = offset(task);
      scenario.ranks[task] = choice_.below(1000);
      for (Pace& pace : scenario.paces[task]) pace = choice_.below(4) < spread ? Pace::most : any_pace();
    }
    scenario.placement = static_cast<Placement>(choice_.below(4));
    scenario.seed = choice_.number();
    return scenario;
  }

  Scenario changed(Scenario scenario) {
    for (int64_t changes = 1 + choice_.below(3); changes > 0; --changes) {
      const size_t task = choice_.index(scenario.offsets.size());
      switch (choice_.below(5)) {
        case 0: scenario.offsets[task] = offset(task); break;
        case 1: scenario.ranks[task] = choice_.below(1000); break;
        case 2: scenario.placement = static_cast<Placement>(choice_.below(4)); break;
        case 3: scenario.seed = choice_.number(); break;
        default: scenario.paces[task][choice_.index(scenario.paces[task].size())] = any_pace();
      }
    }
    return scenario;
  }

  Pace any_pace() { return static_cast<Pace>(choice_.below(4)); }

  // Half of all jobs begin at once, which is often the worst.
  int64_t offset(size_t task) {
    if (!limits_.any_offsets) return workload_.tasks[task].offset;
    if (choice_.below(2) == 0) return 0;
    int64_t longest = 1;
    for (const Operation& operation : workload_.tasks[choice_.index(workload_.tasks.size())].operations) {
      longest = std::max(longest, most_time(operation));
    }
    return choice_.below(longest == INT64_MAX ? longest : longest + 1);
  }

  const Workload& workload_;
  const SearchLimits& limits_;
  Choice choice_;
  std::vector<SlowestResponse> slowest_;
};

}  // namespace

std::vector<Release> releases_of(const Workload& workload, const Scenario& scenario, int64_t most_jobs) {
  // The next release of each task, the earliest first.
  using Next = std::pair<std::pair<int64_t, int64_t>, size_t>;
  std::vector<Next> next;
  Integer end = 0;
  for (size_t task = 0; task < workload.tasks.size(); ++task) {
    next.push_back({{scenario.offsets[task], scenario.ranks[task]}, task});
    end = max(end, Integer(scenario.offsets[task]) + Integer(2) * Integer(workload.tasks[task].period.value_or(0)));
  }
  const int64_t last = end.value().value_or(INT64_MAX);
  std::make_heap(next.begin(), next.end(), std::greater<>());
  std::vector<Release> releases;
  while (!next.empty() && static_cast<int64_t>(releases.size()) < most_jobs) {
    std::pop_heap(next.begin(), next.end(), std::greater<>());
    auto& [when, task] = next.back();
    releases.push_back({task, when.first});
    const auto& period = workload.tasks[task].period;
    const auto following = period ? (Integer(when.first) + Integer(*period)).value() : std::nullopt;
    if (following && *following <= last) {
      when.first = *following;
      std::push_heap(next.begin(), next.end(), std::greater<>());
    } else {
      next.pop_back();
    }
  }
  return releases;
}

Result<Run> run_of(const Workload& workload, const Scenario& scenario, const std::vector<Release>& releases,
                   bool keep_blocks) {
  RunOptions options;
  options.keep_blocks = keep_blocks;
  options.placement = scenario.placement;
  options.seed = scenario.seed;
  options.time = [&](const Piece& piece) {
    const size_t task = releases[piece.job].task;
    const int64_t most = most_time(workload.tasks[task].operations[piece.operation]);
    return time_at(scenario.paces[task][piece.operation], most, number_of(piece, scenario.seed));
  };
  return simulate(workload, releases, options);
}

Result<std::vector<SlowestResponse>> slowest_responses(const Workload& workload, const SearchLimits& limits) {
  if (auto errors = errors_in(workload); !errors.empty()) return errors;
  if (limits.runs < 1 || limits.most_jobs < 1) return usage_error("a search needs at least one run of one job");
  return Search(workload, limits).run();
}

}  // namespace warpspan::solver::response_times
