// SPDX-License-Identifier: GPL-3.0-or-later
// A small deterministic source of numbers (splitmix64): the same seed gives the same numbers everywhere.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <iterator>

namespace warpspan::reference {

inline uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

class Random {
 public:
  explicit Random(uint64_t seed) : state_(mix(seed)) {}

  uint64_t next() { return mix(state_++); }
  // 0 .. limit-1
  uint64_t below(uint64_t limit) { return next() % limit; }
  int64_t between(int64_t first, int64_t last) {
    return first + static_cast<int64_t>(below(static_cast<uint64_t>(last - first) + 1));
  }
  bool chance(uint64_t percent) { return below(100) < percent; }
  template <typename T>
  T pick(std::initializer_list<T> choices) {
    return *(choices.begin() + static_cast<std::ptrdiff_t>(below(choices.size())));
  }
  template <typename Container>
  const auto& of(const Container& choices) {
    return *(std::begin(choices) + static_cast<std::ptrdiff_t>(below(std::size(choices))));
  }

 private:
  uint64_t state_;
};

}  // namespace warpspan::reference
