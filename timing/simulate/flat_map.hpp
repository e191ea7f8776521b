// SPDX-License-Identifier: GPL-3.0-or-later
// A map from numbers in one array, for what is looked up at every step of a simulation. What was found stays where it
// is until something is added or removed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace warpspan::timing {

template <typename Value>
class FlatMap {
 public:
  static constexpr uint64_t no_key = UINT64_MAX;  // never given

  // nullptr: it is not there.
  Value* find(uint64_t key) {
    if (entries_.empty()) return nullptr;
    Entry& entry = entries_[place_of(key)];
    return entry.key == key ? &entry.value : nullptr;
  }
  const Value* find(uint64_t key) const { return const_cast<FlatMap*>(this)->find(key); }

  // The value of the key, and whether it has been added.
  std::pair<Value*, bool> try_emplace(uint64_t key, const Value& value) {
    if (2 * (size_ + 1) > entries_.size()) grow();
    Entry& entry = entries_[place_of(key)];
    const bool added = entry.key != key;
    if (added) {
      entry = {key, value};
      ++size_;
    }
    return {&entry.value, added};
  }
  Value& operator[](uint64_t key) { return *try_emplace(key, Value{}).first; }

  // Those behind it come nearer to where they are looked for first.
  void erase(uint64_t key) {
    if (find(key) == nullptr) return;
    size_t gap = place_of(key);
    for (size_t at = next(gap); entries_[at].key != no_key; at = next(at)) {
      const size_t home = first_of(entries_[at].key);
      if (((at - home) & (entries_.size() - 1)) < ((at - gap) & (entries_.size() - 1))) continue;
      entries_[gap] = std::move(entries_[at]);
      gap = at;
    }
    entries_[gap] = {};
    --size_;
  }

  size_t size() const { return size_; }

 private:
  struct Entry {
    uint64_t key = no_key;
    Value value{};
  };

  // The upper bits of the product depend on all bits of the key.
  size_t first_of(uint64_t key) const {
    constexpr uint64_t golden = 0x9e3779b97f4a7c15;  // 2^64 divided by the golden ratio: Knuth, volume 3, 6.4
    return static_cast<size_t>(key * golden >> shift_);
  }
  size_t next(size_t place) const { return (place + 1) & (entries_.size() - 1); }
  // Where the key is, or may be put.
  size_t place_of(uint64_t key) const {
    size_t place = first_of(key);
    while (entries_[place].key != key && entries_[place].key != no_key) place = next(place);
    return place;
  }

  void grow() {
    constexpr size_t least = 16;
    constexpr unsigned bits_of_least = 4, bits_of_key = 64;
    std::vector<Entry> before = std::move(entries_);
    entries_.assign(before.empty() ? least : 2 * before.size(), Entry{});
    shift_ = before.empty() ? bits_of_key - bits_of_least : shift_ - 1;
    for (Entry& entry : before) {
      if (entry.key != no_key) entries_[place_of(entry.key)] = std::move(entry);
    }
  }

  std::vector<Entry> entries_;  // a power of two, at most half of it full
  size_t size_ = 0;
  unsigned shift_ = 0;
};

}  // namespace warpspan::timing
