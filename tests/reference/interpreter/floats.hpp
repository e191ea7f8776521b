// SPDX-License-Identifier: GPL-3.0-or-later
// Floating-point values of f32 and f64 from and to the bits of a register.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "frontend/ptx/forms/form.hpp"

namespace warpspan::reference {

inline double float_value(ptx::Type type, uint64_t bits) {
  if (type == ptx::Type::f64) return std::bit_cast<double>(bits);
  return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
}

// A number nearer to zero than all normal ones as zero, where .ftz says so.
inline double flushed(const ptx::Form& form, ptx::Type type, double value) {
  const bool flushes = form.has("ftz") && type == ptx::Type::f32;
  return flushes && std::fpclassify(static_cast<float>(value)) == FP_SUBNORMAL ? std::copysign(0.0, value) : value;
}

inline uint64_t float_bits(ptx::Type type, double value) {
  if (type == ptx::Type::f64) return std::bit_cast<uint64_t>(value);
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

}  // namespace warpspan::reference
