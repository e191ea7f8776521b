// SPDX-License-Identifier: GPL-3.0-or-later
// What one thread of the exact search works with: it expands states and puts their successors into the layers ahead. In
// a header for the same reason as state_steps.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "solver/makespan/result.hpp"
#include "solver/strings/schedules/deadline.hpp"
#include "solver/strings/search/flat_problem.hpp"
#include "solver/strings/search/metered_array.hpp"
#include "solver/strings/search/packed_state.hpp"
#include "solver/strings/search/remaining_bound.hpp"
#include "solver/strings/search/state_layers.hpp"
#include "solver/strings/search/state_steps.hpp"

namespace warpspan::solver {

// What a worker has done.
struct WorkDone {
  int64_t states = 0;
  int64_t dropped = 0;
  int64_t steps = 0;
  int64_t added = 0;  // states, to the layers
};

template <size_t words>
class SearchWorker {
  using State = PackedState<words>;
  struct Entry {
    State state;
    uint32_t time;
  };
  static constexpr size_t entries_of_batch = std::max<size_t>(8, 1024 / sizeof(Entry));
  struct Batch {
    size_t size;
    Entry entries[entries_of_batch];
  };

 public:
  static constexpr size_t bytes_of_batch = sizeof(Batch);  // one for each shard of each layer

  // All but the deadline and the pruning, which are copied, must outlive it.
  SearchWorker(const FlatProblem& problem, const StateLayout& layout, const Deadline& deadline,
               const std::optional<Pruning>& pruning, MemoryMeter& meter, StateLayers<words>& layers)
      : layout_(layout),
        deadline_(deadline),
        pruning_(pruning),
        meter_(meter),
        layers_(layers),
        steps_(problem, layout, meter, deadline_),
        counts_(problem.symbols.size()) {}
  SearchWorker(const SearchWorker&) = delete;
  SearchWorker& operator=(const SearchWorker&) = delete;

  int64_t longest_step() const { return steps_.longest_step(); }

  // Needed before expand() if the layers have several shards. False if out of memory.
  bool open_batches() {
    batches_ = MeteredArray<Batch>::allocate(meter_, layers_.window() * layers_.shards());
    return batches_.size() > 0;
  }

  // Before a layer: whether states that no longer matter are to be sought, and how many states the layers ahead may
  // get, a guess.
  void begin_layer(bool prunes, size_t expected) {
    prunes_ = prunes;
    expected_ = expected / layers_.shards();
  }

  // Follows all steps from a state, if it matters. False if memory or time does not allow it.
  bool expand(const State& state, uint32_t time) {
    ++done_.states;
    if (prunes_ && is_too_late(state, time)) {
      ++done_.dropped;
      return within_time(1);
    }
    if (!steps_.follow(state)) return end(steps_.stop());
    done_.steps += static_cast<int64_t>(steps_.successors().size());
    return layers_.shards() == 1 ? store(time + 1) : gather(time + 1);
  }

  // Needed after the last state of a layer: if the layers have several shards, successors gather in batches.
  bool flush() {
    for (size_t i = 0; i < batches_.size(); ++i) {
      if (!flush(i / layers_.shards(), i % layers_.shards())) return false;
    }
    return true;
  }

  bool within_time(size_t steps) { return deadline_.go_on(steps) || end(Status::time_limit); }

  // Since the last call.
  WorkDone take_work_done() { return std::exchange(done_, {}); }
  // Why it could not go on, if so.
  Status stop() const { return stop_; }

 private:
  static constexpr size_t prefetched = 32;

  bool end(Status status) {
    stop_ = status;
    return false;
  }
  bool within_memory(bool granted) { return granted || end(Status::too_large); }

  bool is_too_late(const State& state, uint32_t time) {
    layout_.unpack(state, counts_);
    return pruning_->bound.is_at_most(counts_, pruning_->witness - time);
  }

  // Puts the successors of the state into their layer.
  bool store(uint32_t time) {
    auto& successors = steps_.successors();
    StateTable<words>& table = layers_.table(steps_.executed(), 0);
    if (table.size() == 0 && !within_memory(table.prepare(meter_, expected_))) return false;
    for (size_t begin = 0; begin < successors.size(); begin += prefetched) {
      const size_t end = std::min(begin + prefetched, successors.size());
      if (!within_time(end - begin)) return false;
      for (size_t i = begin; i < end; ++i) table.prefetch(successors[i]);
      for (size_t i = begin; i < end; ++i) {
        if (!add(table, successors[i], time)) return false;
      }
    }
    return true;
  }

  bool add(StateTable<words>& table, const State& state, uint32_t time) {
    bool is_new = false;
    if (!within_memory(table.raise(meter_, state, time, is_new))) return false;
    done_.added += is_new ? 1 : 0;
    return true;
  }

  bool gather(uint32_t time) {
    auto& successors = steps_.successors();
    if (!within_time(successors.size())) return false;
    for (size_t i = 0; i < successors.size(); ++i) {
      const size_t shard = layers_.shard_of(successors[i]);
      Batch& batch = batches_[steps_.executed() * layers_.shards() + shard];
      batch.entries[batch.size++] = {successors[i], time};
      if (batch.size == entries_of_batch && !flush(steps_.executed(), shard)) return false;
    }
    return true;
  }

  bool flush(size_t distance, size_t shard) {
    Batch& batch = batches_[distance * layers_.shards() + shard];
    if (batch.size == 0) return true;
    const std::lock_guard guard(layers_.lock(distance, shard));
    StateTable<words>& table = layers_.table(distance, shard);
    if (table.size() == 0 && !within_memory(table.prepare(meter_, expected_))) return false;
    for (size_t i = 0; i < batch.size; ++i) table.prefetch(batch.entries[i].state);
    for (size_t i = 0; i < batch.size; ++i) {
      if (!add(table, batch.entries[i].state, batch.entries[i].time)) return false;
    }
    batch.size = 0;
    return true;
  }

  StateLayout layout_;
  Deadline deadline_;
  std::optional<Pruning> pruning_;
  MemoryMeter& meter_;
  StateLayers<words>& layers_;
  StateSteps<words> steps_;
  std::vector<int64_t> counts_;  // of the state that is being expanded
  bool prunes_ = false;
  size_t expected_ = 0;          // states of a shard
  MeteredArray<Batch> batches_;  // by distance and shard
  WorkDone done_;
  Status stop_ = Status::optimal;
};

}  // namespace warpspan::solver
