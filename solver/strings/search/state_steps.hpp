// SPDX-License-Identifier: GPL-3.0-or-later
// All steps from a state of the exact search (see exact_search.cpp). In a header, as the loop over all states is a
// sixth slower where the compiler does not see through it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "solver/makespan/result.hpp"
#include "solver/strings/schedules/deadline.hpp"
#include "solver/strings/search/flat_problem.hpp"
#include "solver/strings/search/metered_array.hpp"
#include "solver/strings/search/packed_state.hpp"

namespace warpspan::solver {

// Holds scratch space: threads need one each.
template <size_t words>
class StateSteps {
 public:
  using State = PackedState<words>;

  // The meter and the deadline must outlive it; the deadline is its own.
  StateSteps(const FlatProblem& problem, const StateLayout& layout, MemoryMeter& meter, Deadline& deadline)
      : layout_(layout),
        workers_(problem.workers),
        positions_(problem.symbols.size()),
        deadline_(deadline),
        moves_(meter),
        successors_(meter),
        product_(meter) {
    for (size_t k = 0; k < problem.servers.size(); ++k) add_class(problem, k);
  }

  // The most symbols that a step executes.
  int64_t longest_step() const {
    int64_t longest = 0;
    for (const Class& k : classes_) longest = std::min(workers_, longest + k.servers);
    return longest;
  }

  // Follows all steps from an unfinished state. They all execute the same number of symbols. False if memory or time
  // does not allow it.
  bool follow(const State& state) {
    successors_.clear();
    if (!within_memory(successors_.push(state))) return false;
    executed_ = 0;
    for (const Class& k : classes_) {
      const size_t ready = collect_ready(state, k);
      if (ready == 0) continue;
      if (!collect_moves(ready, k.servers) || !apply_moves()) return false;
      executed_ += static_cast<size_t>(std::min(ready_workers_, k.servers));
    }
    return true;
  }

  // After follow() was true.
  MeteredList<State>& successors() { return successors_; }
  size_t executed() const { return executed_; }

  // After it was false.
  Status stop() const { return stop_; }

 private:
  // A position of the string: where its count lies, and what a worker that leaves it adds to the state.
  struct Position {
    size_t word;
    unsigned shift;
    State leave;
  };
  struct Class {
    int64_t servers;
    std::vector<Position> positions;
  };
  // A position where workers stand.
  struct Ready {
    int64_t count;
    State leave;
  };

  void add_class(const FlatProblem& problem, size_t k) {
    Class added{std::min(problem.servers[k], workers_), {}};
    for (size_t p = 0; p < positions_; ++p) {
      if (static_cast<size_t>(problem.symbols[p]) != k) continue;
      State leave{};
      leave[layout_.word(p)] -= uint64_t{1} << layout_.shift(p);
      if (p + 1 < positions_) leave[layout_.word(p + 1)] += uint64_t{1} << layout_.shift(p + 1);
      added.positions.push_back({layout_.word(p), layout_.shift(p), leave});
    }
    if (added.positions.empty()) return;
    ready_.resize(std::max(ready_.size(), added.positions.size()));
    classes_.push_back(std::move(added));
  }

  // Both store in stop_ why the search ends.
  bool within_memory(bool granted) {
    if (!granted) stop_ = Status::too_large;
    return granted;
  }
  bool within_time(size_t steps) {
    const bool in_time = deadline_.go_on(steps);
    if (!in_time) stop_ = Status::time_limit;
    return in_time;
  }

  // Puts the positions of the class where workers stand into ready_, counts the workers; the number of positions.
  size_t collect_ready(const State& state, const Class& k) {
    size_t found = 0;
    ready_workers_ = 0;
    for (const Position& position : k.positions) {
      const auto count = static_cast<int64_t>((state[position.word] >> position.shift) & layout_.mask());
      ready_[found] = {count, position.leave};
      ready_workers_ += count;
      found += count > 0 ? 1 : 0;
    }
    return found;
  }

  // All choices of min(ready workers, servers) ready workers that execute, into moves_.
  bool collect_moves(size_t ready, int64_t servers) {
    moves_.clear();
    if (!within_memory(moves_.reserve(ready))) return false;
    if (ready_workers_ <= servers) {
      State all{};
      for (size_t i = 0; i < ready; ++i) all = all + times(static_cast<uint64_t>(ready_[i].count), ready_[i].leave);
      return within_memory(moves_.push(all));
    }
    if (servers > 1) return spread(0, servers, ready_workers_, State{});
    for (size_t i = 0; i < ready; ++i) moves_[i] = ready_[i].leave;
    moves_.resize_within_reserve(ready);
    return true;
  }

  // Lets `executing` of the `standing` workers at ready positions `first` and later execute, in all ways, after `move`.
  bool spread(size_t first, int64_t executing, int64_t standing, const State& move) {
    if (executing == 0) return within_time(1) && within_memory(moves_.push(move));
    const Ready& here = ready_[first];
    const int64_t behind = standing - here.count;
    for (int64_t n = std::max<int64_t>(0, executing - behind); n <= std::min(here.count, executing); ++n) {
      if (!spread(first + 1, executing - n, behind, move + times(static_cast<uint64_t>(n), here.leave))) return false;
    }
    return true;
  }

  // Replaces each successor by all its sums with a move.
  bool apply_moves() {
    if (moves_.size() == 1) {
      for (size_t i = 0; i < successors_.size(); ++i) successors_[i] = successors_[i] + moves_[0];
      return true;
    }
    size_t count = 0;
    const bool overflow = __builtin_mul_overflow(successors_.size(), moves_.size(), &count);
    if (!within_memory(!overflow && product_.reserve(count))) return false;
    State* out = product_.data();
    for (size_t i = 0; i < successors_.size(); ++i) {
      for (size_t j = 0; j < moves_.size(); ++j) *out++ = successors_[i] + moves_[j];
    }
    product_.resize_within_reserve(count);
    std::swap(product_, successors_);
    return true;
  }

  StateLayout layout_;
  int64_t workers_;
  size_t positions_;
  Deadline& deadline_;
  std::vector<Class> classes_;
  Status stop_ = Status::optimal;
  // Of the state that is being expanded.
  std::vector<Ready> ready_;
  int64_t ready_workers_ = 0;
  size_t executed_ = 0;
  MeteredList<State> moves_;
  MeteredList<State> successors_;
  MeteredList<State> product_;
};

}  // namespace warpspan::solver
