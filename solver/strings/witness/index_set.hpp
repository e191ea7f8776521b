// SPDX-License-Identifier: GPL-3.0-or-later
// A set of small numbers in which the next one at or after any number is found in no time. In a header, as every symbol
// of a simulated schedule asks it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpspan::solver {

// Each level has a bit for every word of the level below that is not 0, up to a level of one word.
class IndexSet {
 public:
  // An empty set for the numbers below `limit`.
  explicit IndexSet(size_t limit) : limit_(limit) {
    size_t words = limit;
    do {
      words = (words + 63) / 64;
      levels_.emplace_back(std::max<size_t>(words, 1));
    } while (words > 1);
  }

  size_t limit() const { return limit_; }

  bool contains(size_t i) const { return (levels_[0][i / 64] >> i % 64 & 1) != 0; }
  bool empty() const { return levels_.back()[0] == 0; }

  void insert(size_t i) {
    for (auto& level : levels_) {
      level[i / 64] |= uint64_t{1} << i % 64;
      i /= 64;
    }
  }
  void erase(size_t i) {
    for (auto& level : levels_) {
      level[i / 64] &= ~(uint64_t{1} << i % 64);
      if (level[i / 64] != 0) return;
      i /= 64;
    }
  }

  // The least number >= i in the set; limit() if there is none.
  size_t next(size_t i) const {
    for (size_t l = 0; l < levels_.size() && i / 64 < levels_[l].size(); ++l) {
      const uint64_t rest = levels_[l][i / 64] >> i % 64 << i % 64;
      if (rest != 0) return descend(l, i / 64 * 64 + static_cast<size_t>(std::countr_zero(rest)));
      i = i / 64 + 1;
    }
    return limit_;
  }

  // The first one at or after i, or else the first one of all. Needs a set that is not empty.
  size_t next_around(size_t i) const {
    const size_t found = next(i);
    return found < limit_ ? found : next(0);
  }

 private:
  // The least number in the set below bit i of the level.
  size_t descend(size_t level, size_t i) const {
    for (; level > 0; --level) i = i * 64 + static_cast<size_t>(std::countr_zero(levels_[level - 1][i]));
    return i;
  }

  size_t limit_;
  std::vector<std::vector<uint64_t>> levels_;
};

}  // namespace warpspan::solver
