// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of a machine word.
#pragma once

#include <cstdint>

#include "frontend/sass/words/instruction.hpp"

namespace warpspan::sass {

// bits 1 to 64 of them, from bit on, which may cross the middle of the word.
constexpr uint64_t field(const Word& word, unsigned bit, unsigned bits) {
  uint64_t value = bit >= 64 ? word.high >> (bit - 64) : word.low >> bit;
  if (bit != 0 && bit < 64 && bit + bits > 64) value |= word.high << (64 - bit);
  return bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1);
}

constexpr bool bit(const Word& word, unsigned number) { return field(word, number, 1) != 0; }

// The field as a number in two's complement.
constexpr int64_t signed_field(const Word& word, unsigned bit, unsigned bits) {
  const uint64_t value = field(word, bit, bits) << (64 - bits);
  return static_cast<int64_t>(value) >> (64 - bits);
}

}  // namespace warpspan::sass
