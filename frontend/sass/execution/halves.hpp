// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs of 16-bit floating-point numbers in words, and how their operands are chosen and signed: bits that the decoder
// leaves out. Where they stand was observed in words that nvdisasm prints.
#pragma once

#include <cstdint>

#include "frontend/sass/execution/operands.hpp"

namespace warpspan::execution {

float from_half(uint16_t bits);
uint16_t to_half(double value);  // rounded to nearest even
float from_bfloat(uint16_t bits);
uint16_t to_bfloat(double value);

// The numbers of the lower halves and of the upper ones.
struct HalfPair {
  Lanes<float> half[2];
};

// A source of packed arithmetic with its choice of halves, absolute value and minus.
HalfPair half_source(Operands& in, size_t index);

}  // namespace warpspan::execution
