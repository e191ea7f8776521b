// SPDX-License-Identifier: GPL-3.0-or-later
// The states of one layer of the exact search, each with the longest time found to it: an open-addressing hash table.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>

#include "solver/strings/search/metered_array.hpp"
#include "solver/strings/search/packed_state.hpp"

namespace warpspan::solver {

template <size_t words>
class StateTable {
 public:
  using State = PackedState<words>;

  // Tables that share the states among each other by the first `bits` bits of their hashes distinguish them by the
  // next.
  void skip_bits(int bits) { skipped_ = bits; }

  size_t size() const { return size_; }

  // Makes room for about `states` states, in an empty table. Memory that fits well enough is reused. False if out of
  // memory.
  bool prepare(MemoryMeter& meter, size_t states) {
    const size_t wanted = std::bit_ceil(std::max<size_t>(2 * states, smallest));
    if (slots_.size() >= wanted && slots_.size() <= 4 * wanted) return true;
    slots_ = {};
    return allocate(meter, wanted);
  }

  // Needs an earlier prepare().
  void prefetch(const State& state) { __builtin_prefetch(&slots_[home(state)], 1); }

  // Adds the state with a time, or raises its time if it has a smaller one. False if out of memory; then the table
  // stays as it was. Needs an earlier prepare(). How large the table gets does not depend on the order of its states.
  bool raise(MemoryMeter& meter, const State& state, uint32_t time, bool& is_new) {
    Slot* slot = &find(state);
    is_new = slot->time_and_one == 0;
    if (is_new) {
      if (4 * size_ >= 3 * slots_.size()) {
        if (!grow(meter)) return false;
        slot = &find(state);
      }
      slot->state = state;
      ++size_;
    }
    slot->time_and_one = std::max(slot->time_and_one, time + 1);
    return true;
  }

  // Calls visit(state, time) for every state while it returns true, and takes the state out; whether all were visited.
  template <typename Visit>
  bool drain(Visit visit) {
    for (size_t i = 0; i < slots_.size() && size_ > 0; ++i) {
      Slot& slot = slots_[i];
      if (slot.time_and_one == 0) continue;
      const uint32_t time = slot.time_and_one - 1;
      slot.time_and_one = 0;
      --size_;
      if (!visit(slot.state, time)) return false;
    }
    return true;
  }

 private:
  static constexpr size_t smallest = 16;

  struct Slot {
    State state;
    uint32_t time_and_one;  // 0: empty
  };

  size_t home(const State& state) const { return static_cast<size_t>(hash(state) << skipped_ >> shift_); }

  // The slot of the state, or the empty slot where it belongs.
  Slot& find(const State& state) {
    size_t i = home(state);
    while (slots_[i].time_and_one != 0 && !same(slots_[i].state, state)) i = (i + 1) & (slots_.size() - 1);
    return slots_[i];
  }

  bool allocate(MemoryMeter& meter, size_t capacity) {
    slots_ = MeteredArray<Slot>::allocate(meter, capacity);
    shift_ = 64 - std::countr_zero(capacity);
    return slots_.size() > 0;
  }

  bool grow(MemoryMeter& meter) {
    MeteredArray<Slot> old = std::move(slots_);
    if (!allocate(meter, 2 * old.size())) {
      slots_ = std::move(old);
      shift_ = 64 - std::countr_zero(slots_.size());
      return false;
    }
    for (size_t i = 0; i < old.size(); ++i) {
      if (old[i].time_and_one != 0) find(old[i].state) = old[i];
    }
    return true;
  }

  MeteredArray<Slot> slots_;
  int shift_ = 0;
  int skipped_ = 0;
  size_t size_ = 0;
};

}  // namespace warpspan::solver
