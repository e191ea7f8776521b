// SPDX-License-Identifier: GPL-3.0-or-later
// Floating-point numbers of lanes. The arithmetic is the host's, IEEE 754 in the rounding of the instruction; it
// decides only estimates, never a bound.
#pragma once

#include <bit>
#include <cfenv>
#include <cstdint>

#include "frontend/sass/execution/operands.hpp"

namespace warpspan::execution {

// What machine code makes where there is no number; PTX ISA 9.0, 9.7.3.
inline constexpr uint32_t no_number = 0x7fffffff;

template <typename Real, typename Bits>
Lanes<Real> as(const Lanes<Bits>& bits) {
  return std::bit_cast<Lanes<Real>>(bits);
}

// Subnormal numbers become zeros of their sign, if the instruction wants it: bit 80.
inline void flush(const Operands& in, Words& values) {
  constexpr uint32_t exponent = 0x7f800000, sign = uint32_t{1} << 31;
  if (!in.bit(80)) return;
  for (unsigned i = 0; i < warp_lanes; ++i) values[i] = (values[i] & exponent) != 0 ? values[i] : values[i] & sign;
}

// Carries out a loop over lanes in a rounding of machine code: RN RM RP RZ, to nearest, down, up, to zero. What it
// computes lies in memory before and behind, so that nothing is moved over the change.
template <typename Loop>
void in_rounding(unsigned rounding, const Loop& loop) {
  if (rounding == 0) return loop();
  constexpr int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  const int before = std::fegetround();
  std::fesetround(modes[rounding & 3]);
  asm volatile("" ::"r"(&loop) : "memory");
  loop();
  asm volatile("" ::"r"(&loop) : "memory");
  std::fesetround(before);
}

}  // namespace warpspan::execution
