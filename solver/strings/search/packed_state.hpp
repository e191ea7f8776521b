// SPDX-License-Identifier: GPL-3.0-or-later
// States of the exact search in a few machine words.
//
// A state has how many workers stand before each position of the string; who has finished follows from the sum. Each
// count gets as many bits as the number of workers needs, and no count straddles two words. As the counts of a state
// never leave their bits, a word is the sum of count * 2^shift, and a move of workers is the addition of a constant
// modulo 2^64, whatever carries happen in between.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpspan::solver {

template <size_t words>
using PackedState = std::array<uint64_t, words>;

template <size_t words>
inline PackedState<words> operator+(PackedState<words> a, const PackedState<words>& b) {
  for (size_t i = 0; i < words; ++i) a[i] += b[i];
  return a;
}

template <size_t words>
inline PackedState<words> times(uint64_t factor, PackedState<words> a) {
  for (size_t i = 0; i < words; ++i) a[i] *= factor;
  return a;
}

// Without a call and without a branch for each word, which the library's comparison of arrays costs.
template <size_t words>
inline bool same(const PackedState<words>& a, const PackedState<words>& b) {
  uint64_t differing = 0;
  for (size_t i = 0; i < words; ++i) differing |= a[i] ^ b[i];
  return differing == 0;
}

// A mixing of all bits; the upper ones are the best.
template <size_t words>
inline uint64_t hash(const PackedState<words>& state) {
  uint64_t h = 0;
  for (const uint64_t word : state) {
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    h ^= h >> 32;
  }
  return h * 0xd6e8feb86659fd93u;
}

// Where the counts lie. Needs workers >= 1 and positions >= 1.
class StateLayout {
 public:
  explicit StateLayout(uint64_t workers)
      : bits_(static_cast<unsigned>(std::bit_width(workers))),
        counts_in_word_(64 / bits_),
        mask_(~uint64_t{0} >> (64 - bits_)) {}

  size_t words_for(size_t positions) const { return (positions + counts_in_word_ - 1) / counts_in_word_; }
  size_t positions_in(size_t words) const { return words * counts_in_word_; }
  size_t word(size_t position) const { return position / counts_in_word_; }
  unsigned shift(size_t position) const { return static_cast<unsigned>(position % counts_in_word_) * bits_; }
  uint64_t mask() const { return mask_; }

  // The workers that stand before each of the positions.
  template <size_t words>
  void unpack(const PackedState<words>& state, std::vector<int64_t>& counts) const {
    size_t position = 0;
    for (size_t i = 0; position < counts.size(); ++i) {
      const size_t end = std::min(counts.size(), position + counts_in_word_);
      for (uint64_t rest = state[i]; position < end; rest >>= bits_) {
        counts[position++] = static_cast<int64_t>(rest & mask_);
      }
    }
  }

 private:
  unsigned bits_;
  size_t counts_in_word_;
  uint64_t mask_;
};

}  // namespace warpspan::solver
