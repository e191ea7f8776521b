// SPDX-License-Identifier: GPL-3.0-or-later
// Integers of a PTX type, held in the low bits of 64.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "frontend/ptx/forms/form.hpp"

namespace warpspan::reference {

// 128 bits, for products and sums of 64.
__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

constexpr uint64_t low_bits(int bits) { return bits >= 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1; }

// A type of 1 to 64 bits: .pred, .b, .u, .s, and floating types taken as bits.
struct IntegerType {
  int bits = 32;
  bool is_signed = false;

  uint64_t wrap(uint64_t value) const { return value & low_bits(bits); }
  uint64_t as_unsigned(uint64_t value) const { return wrap(value); }
  int64_t as_signed(uint64_t value) const {
    const uint64_t sign = uint64_t{1} << (bits - 1);
    return static_cast<int64_t>((wrap(value) ^ sign) - sign);
  }
  // As a register wider than the type holds it: sign or zero extended.
  uint64_t extend(uint64_t value) const {
    return is_signed ? static_cast<uint64_t>(as_signed(value)) : as_unsigned(value);
  }
  int64_t smallest() const { return as_signed(uint64_t{1} << (bits - 1)); }
  int64_t largest() const { return -(smallest() + 1); }
};

inline bool is_signed(ptx::Type type) { return ptx::to_string(type).substr(0, 1) == "s"; }
inline bool is_float(ptx::Type type) { return type == ptx::Type::f32 || type == ptx::Type::f64; }
inline IntegerType integer_type(ptx::Type type) { return {std::max(ptx::bits(type), 1), is_signed(type)}; }

}  // namespace warpspan::reference
