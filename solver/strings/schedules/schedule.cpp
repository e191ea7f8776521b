// SPDX-License-Identifier: GPL-3.0-or-later
// The check goes through the cycles once. In each it looks only at the workers that execute, which a counting sort by
// cycle has brought together: a class of which workers are ready but none executes shows because fewer classes execute
// than have ready workers. So the effort is that of reading the schedule, whatever its makespan is.
#include "solver/strings/schedules/schedule.hpp"

#include <algorithm>
#include <functional>

namespace warpspan::solver {

namespace {

bool is_in_order(const Schedule& schedule, size_t length) {
  return std::all_of(schedule.cycles.begin(), schedule.cycles.end(), [=](const std::vector<int64_t>& cycles) {
    return cycles.size() == length && (cycles.empty() || cycles.front() >= 1) &&
           std::adjacent_find(cycles.begin(), cycles.end(), std::greater_equal<>()) == cycles.end();
  });
}

bool are_classes(const std::vector<int>& symbols, size_t classes) {
  return std::all_of(symbols.begin(), symbols.end(),
                     [=](int symbol) { return symbol >= 0 && static_cast<size_t>(symbol) < classes; });
}

// Which workers execute in which cycle.
class ByCycle {
 public:
  // Of a schedule whose cycles are 1 .. makespan.
  ByCycle(const Schedule& schedule, size_t makespan) : begin_(makespan + 2) {
    for (const auto& cycles : schedule.cycles) {
      for (const int64_t cycle : cycles) ++begin_[static_cast<size_t>(cycle)];
    }
    size_t end = 0;
    for (size_t& executions : begin_) executions = end += executions;
    workers_.resize(end);
    // Filled from behind, ends become beginnings.
    for (size_t w = 0; w < schedule.cycles.size(); ++w) {
      for (const int64_t cycle : schedule.cycles[w]) {
        workers_[--begin_[static_cast<size_t>(cycle)]] = static_cast<uint32_t>(w);
      }
    }
  }

  // Calls visit(worker) for every worker that executes in the cycle.
  template <typename Visit>
  void for_each(size_t cycle, Visit visit) const {
    for (size_t i = begin_[cycle]; i < begin_[cycle + 1]; ++i) visit(workers_[i]);
  }

 private:
  std::vector<size_t> begin_;  // of each cycle, in workers_
  std::vector<uint32_t> workers_;
};

// The workers as they stand at the beginning of a cycle.
class Workers {
 public:
  Workers(const std::vector<int>& symbols, const std::vector<int64_t>& servers, size_t workers)
      : symbols_(symbols),
        servers_(servers),
        positions_(workers),
        ready_(servers.size()),
        executing_(servers.size()),
        waiting_classes_(1) {
    ready_[class_at(0)] = static_cast<int64_t>(workers);
  }

  // Lets the workers that execute in the cycle go on; false if they are not as many of each class as must.
  bool step(const ByCycle& schedule, size_t cycle) {
    executing_classes_.clear();
    schedule.for_each(cycle, [&](size_t worker) {
      const size_t k = class_at(positions_[worker]);
      if (executing_[k]++ == 0) executing_classes_.push_back(k);
    });
    bool as_many_as_must = executing_classes_.size() == waiting_classes_;
    for (const size_t k : executing_classes_) {
      as_many_as_must = as_many_as_must && executing_[k] == std::min(ready_[k], servers_[k]);
      ready_[k] -= executing_[k];
      waiting_classes_ -= ready_[k] == 0 ? 1 : 0;
      executing_[k] = 0;
    }
    schedule.for_each(cycle, [&](size_t worker) {
      if (++positions_[worker] == symbols_.size()) return;
      waiting_classes_ += ready_[class_at(positions_[worker])]++ == 0 ? 1 : 0;
    });
    return as_many_as_must;
  }

 private:
  size_t class_at(size_t position) const { return static_cast<size_t>(symbols_[position]); }

  const std::vector<int>& symbols_;
  const std::vector<int64_t>& servers_;
  std::vector<size_t> positions_;   // of each worker
  std::vector<int64_t> ready_;      // workers of each class
  std::vector<int64_t> executing_;  // of them; all 0 between cycles
  std::vector<size_t> executing_classes_;
  size_t waiting_classes_;  // that have ready workers
};

}  // namespace

std::optional<int64_t> makespan_of(const Schedule& schedule, const std::vector<int>& symbols,
                                   const std::vector<int64_t>& servers) {
  const size_t workers = schedule.cycles.size();
  if (workers == 0 || workers > UINT32_MAX || symbols.empty() || !are_classes(symbols, servers.size()) ||
      !is_in_order(schedule, symbols.size())) {
    return std::nullopt;
  }
  int64_t makespan = 0;
  for (const auto& cycles : schedule.cycles) makespan = std::max(makespan, cycles.back());
  // Some worker executes in every cycle.
  if (static_cast<uint64_t>(makespan) > workers * symbols.size()) return std::nullopt;
  const ByCycle by_cycle(schedule, static_cast<size_t>(makespan));
  Workers standing(symbols, servers, workers);
  for (size_t cycle = 1; cycle <= static_cast<size_t>(makespan); ++cycle) {
    if (!standing.step(by_cycle, cycle)) return std::nullopt;
  }
  return makespan;
}

}  // namespace warpspan::solver
