// SPDX-License-Identifier: GPL-3.0-or-later
// The layers of the exact search that have states, as a ring of tables.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "solver/strings/search/metered_array.hpp"
#include "solver/strings/search/packed_state.hpp"
#include "solver/strings/search/state_table.hpp"

namespace warpspan::solver {

// A layer is split into shards by the states' hashes, so that threads can work on different shards of it.
template <size_t words>
class StateLayers {
 public:
  using State = PackedState<words>;
  static constexpr size_t bytes_of_shard = sizeof(StateTable<words>) + sizeof(std::mutex);

  // `window` layers, the current one included, of 2^shard_bits shards each. False if out of memory.
  bool open(MemoryMeter& meter, size_t window, int shard_bits) {
    const size_t tables = window << shard_bits;
    if (!meter.take(static_cast<int64_t>(tables * bytes_of_shard))) return false;
    window_ = window;
    shard_bits_ = shard_bits;
    tables_.resize(tables);
    for (StateTable<words>& table : tables_) table.skip_bits(shard_bits);
    if (shard_bits > 0) locks_ = std::make_unique<std::mutex[]>(tables);
    return true;
  }

  size_t window() const { return window_; }
  size_t shards() const { return size_t{1} << shard_bits_; }
  size_t shard_of(const State& state) const {
    return static_cast<size_t>(hash(state) >> 1 >> (63 - shard_bits_));  // no shift by 64
  }

  // The layer `distance` < window ahead of the current one.
  StateTable<words>& table(size_t distance, size_t shard) { return tables_[index(distance, shard)]; }
  std::mutex& lock(size_t distance, size_t shard) { return locks_[index(distance, shard)]; }

  // States of the current layer.
  size_t size() const {
    size_t states = 0;
    for (size_t shard = 0; shard < shards(); ++shard) states += tables_[index(0, shard)].size();
    return states;
  }

  void advance() { current_ = current_ + 1 < window_ ? current_ + 1 : 0; }

  // Frees all states.
  void clear() {
    tables_.clear();
    locks_.reset();
  }

 private:
  size_t index(size_t distance, size_t shard) const {
    const size_t layer = current_ + distance;
    return (layer < window_ ? layer : layer - window_) << shard_bits_ | shard;
  }

  size_t window_ = 0;
  int shard_bits_ = 0;
  size_t current_ = 0;
  std::vector<StateTable<words>> tables_;
  std::unique_ptr<std::mutex[]> locks_;
};

}  // namespace warpspan::solver
