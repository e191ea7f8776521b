// SPDX-License-Identifier: GPL-3.0-or-later
// The engine of the exact search (exact_search.cpp proves it).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "solver/makespan/result.hpp"
#include "solver/strings/schedules/deadline.hpp"
#include "solver/strings/schedules/schedule.hpp"
#include "solver/strings/search/exact_search.hpp"
#include "solver/strings/search/flat_problem.hpp"
#include "solver/strings/search/remaining_bound.hpp"

namespace warpspan::solver {

// What the engine needs to know besides the problem.
struct SearchPlan {
  int64_t memory = 0;              // bytes
  unsigned threads = 1;            // at least 1
  bool keeps_states = false;       // for a schedule
  std::optional<Pruning> pruning;  // if a schedule is known
  std::function<void(double, int64_t)> progress;
};

class SearchEngine {
 public:
  static constexpr size_t most_words = 16;  // of a state

  // For a problem whose states have at most so many words. Problem and deadline must outlive it.
  static std::unique_ptr<SearchEngine> make(const FlatProblem& problem, SearchPlan plan, Deadline& deadline);

  SearchEngine() = default;
  SearchEngine(const SearchEngine&) = delete;
  SearchEngine& operator=(const SearchEngine&) = delete;
  virtual ~SearchEngine() = default;

  // The longest path to the end, in cycles, among those that were not dropped.
  struct Outcome {
    Status status = Status::optimal;  // else why there is none
    std::optional<int64_t> makespan;  // none if all were dropped
  };
  virtual Outcome run() = 0;

  // After run() has found a makespan: a schedule of this length. Nothing if no states were stored, or memory or time
  // does not allow it.
  virtual std::optional<Schedule> schedule(int64_t makespan) = 0;

  // States are stored for a schedule: not if the plan did not ask for it, or if they took too much memory.
  virtual bool keeps_states() const = 0;

  virtual SearchStatistics statistics() const = 0;
};

}  // namespace warpspan::solver
