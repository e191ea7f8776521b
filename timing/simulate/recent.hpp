// SPDX-License-Identifier: GPL-3.0-or-later
// A cache by keys of which the least recently used go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "timing/simulate/flat_map.hpp"

namespace warpspan::timing {

template <typename Value>
class RecentlyUsed {
 public:
  // room: at least 1 is taken.
  explicit RecentlyUsed(size_t room) : room_(room == 0 ? 1 : room) {}

  // nullptr: it is not there. What is there has been used.
  Value* find(uint64_t key) {
    if (newest_ != none && entries_[newest_].key == key) return &entries_[newest_].value;
    const uint32_t* known = places_.find(key);
    if (known == nullptr) return nullptr;
    use(*known);
    return &entries_[newest_].value;
  }

  // The value of a key that is there, or is from now on.
  Value& put(uint64_t key, const Value& value) {
    if (Value* known = find(key)) return *known;
    uint32_t place = oldest_;
    if (entries_.size() < room_) {
      place = static_cast<uint32_t>(entries_.size());
      entries_.push_back({});
      link(place);
    } else {
      places_.erase(entries_[place].key);
      use(place);
    }
    entries_[place].key = key;
    entries_[place].value = value;
    places_[key] = place;
    return entries_[place].value;
  }

 private:
  static constexpr uint32_t none = UINT32_MAX;
  struct Entry {
    uint64_t key = 0;
    Value value{};
    uint32_t newer = none, older = none;
  };

  void link(uint32_t place) {
    entries_[place].newer = none;
    entries_[place].older = newest_;
    if (newest_ != none) entries_[newest_].newer = place;
    newest_ = place;
    if (oldest_ == none) oldest_ = place;
  }

  void use(uint32_t place) {
    if (place == newest_) return;
    const Entry& entry = entries_[place];
    (entry.older == none ? oldest_ : entries_[entry.older].newer) = entry.newer;
    entries_[entry.newer].older = entry.older;
    link(place);
  }

  size_t room_;
  std::vector<Entry> entries_;
  FlatMap<uint32_t> places_;
  uint32_t newest_ = none, oldest_ = none;
};

}  // namespace warpspan::timing
