// The engine of the exact search (see exact_search.cpp for why it is right), for states of a fixed number of words.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "solver/deadline.hpp"
#include "solver/exact_search.hpp"
#include "solver/metered_array.hpp"
#include "solver/packed_state.hpp"
#include "solver/state_table.hpp"

namespace warpspan::solver {

// A string problem written out.
struct FlatProblem {
  std::vector<int> symbols;
  int64_t workers = 1;
  std::vector<int64_t> servers;
};

template <size_t words>
class LayeredSearch {
 public:
  using State = PackedState<words>;

  LayeredSearch(const FlatProblem& problem, const SearchLimits& limits, Deadline& deadline)
      : layout_(static_cast<uint64_t>(problem.workers)),
        workers_(problem.workers),
        positions_(problem.symbols.size()),
        meter_(limits.memory),
        deadline_(deadline),
        moves_(meter_),
        successors_(meter_),
        product_(meter_) {
    for (size_t k = 0; k < problem.servers.size(); ++k) add_class(problem, k);
  }
  LayeredSearch(const LayeredSearch&) = delete;
  LayeredSearch& operator=(const LayeredSearch&) = delete;

  // The longest path in cycles, or why there is none.
  struct Outcome {
    Status status = Status::optimal;
    int64_t makespan = 0;
  };
  Outcome run() {
    if (!deadline_.look()) return {Status::time_limit};
    if (!open_layers()) return {Status::too_large};
    const int64_t last = workers_ * static_cast<int64_t>(positions_);
    for (int64_t progress = 0; progress < last; ++progress) {
      if (!expand_layer()) return {stop_};
      current_ = next_layer(1);
    }
    Outcome outcome;
    layers_[current_].drain([&](const State&, uint32_t time) {
      ++statistics_.states;
      outcome.makespan = time;
      return true;
    });
    return outcome;
  }

  SearchStatistics statistics() const {
    SearchStatistics all = statistics_;
    all.memory = meter_.peak();
    return all;
  }

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

  // As many layers as a step may reach, and the start state in the first.
  bool open_layers() {
    int64_t longest_step = 0;
    for (const Class& k : classes_) longest_step = std::min(workers_, longest_step + k.servers);
    const auto window = static_cast<size_t>(longest_step) + 1;
    if (!meter_.take(static_cast<int64_t>(window * sizeof(StateTable<words>)))) return false;
    layers_.resize(window);
    State begin{};
    begin[layout_.word(0)] = static_cast<uint64_t>(workers_) << layout_.shift(0);
    resident_ = statistics_.resident_states = 1;
    return layers_[0].prepare(meter_, 1) && layers_[0].raise(meter_, begin, 0);
  }

  size_t next_layer(size_t distance) const {
    const size_t layer = current_ + distance;
    return layer < layers_.size() ? layer : layer - layers_.size();
  }

  // Both keep in stop_ why the search ends.
  bool within_memory(bool granted) {
    if (!granted) stop_ = Status::too_large;
    return granted;
  }
  bool within_time(size_t steps) {
    const bool in_time = deadline_.go_on(steps);
    if (!in_time) stop_ = Status::time_limit;
    return in_time;
  }

  bool expand_layer() {
    StateTable<words>& layer = layers_[current_];
    expected_ = layer.size();
    if (!within_time(1)) return false;
    return layer.drain([this](const State& state, uint32_t time) { return expand(state, time); });
  }

  // Follows all steps from a state. They all execute the same number of symbols, so they all lead to one layer.
  bool expand(const State& state, uint32_t time) {
    successors_.clear();
    if (!within_memory(successors_.push(state))) return false;
    size_t executed = 0;
    for (const Class& k : classes_) {
      const size_t ready = collect_ready(state, k);
      if (ready == 0) continue;
      if (!collect_moves(ready, k.servers) || !apply_moves()) return false;
      executed += static_cast<size_t>(std::min(ready_workers_, k.servers));
    }
    ++statistics_.states;
    statistics_.steps += static_cast<int64_t>(successors_.size());
    return store(layers_[next_layer(executed)], time + 1);
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

  // All ways in which min(ready workers, servers) of the ready workers execute, into moves_.
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

  bool store(StateTable<words>& layer, uint32_t time) {
    const size_t before = layer.size();
    if (before == 0 && !within_memory(layer.prepare(meter_, expected_))) return false;
    for (size_t begin = 0; begin < successors_.size(); begin += prefetched) {
      const size_t end = std::min(begin + prefetched, successors_.size());
      if (!within_time(end - begin)) return false;
      for (size_t i = begin; i < end; ++i) layer.prefetch(successors_[i]);
      for (size_t i = begin; i < end; ++i) {
        if (!within_memory(layer.raise(meter_, successors_[i], time))) return false;
      }
    }
    resident_ += static_cast<int64_t>(layer.size() - before) - 1;
    statistics_.resident_states = std::max(statistics_.resident_states, resident_);
    return true;
  }

  static constexpr size_t prefetched = 32;

  StateLayout layout_;
  int64_t workers_;
  size_t positions_;
  MemoryMeter meter_;  // before all that it counts
  Deadline& deadline_;
  std::vector<Class> classes_;
  std::vector<StateTable<words>> layers_;  // a ring
  size_t current_ = 0;
  size_t expected_ = 0;  // states of the layer that is being expanded, a guess for the next
  int64_t resident_ = 0;
  SearchStatistics statistics_;
  Status stop_ = Status::optimal;
  // Of the state that is being expanded.
  std::vector<Ready> ready_;
  int64_t ready_workers_ = 0;
  MeteredList<State> moves_;
  MeteredList<State> successors_;
  MeteredList<State> product_;
};

}  // namespace warpspan::solver
