// SPDX-License-Identifier: GPL-3.0-or-later
// Conversions between integers and floating-point numbers.
#include <cmath>
#include <limits>

#include "frontend/sass/execution/halves.hpp"
#include "frontend/sass/execution/operands.hpp"
#include "frontend/sass/execution/reals.hpp"
#include "frontend/sass/execution/table.hpp"

namespace warpspan::execution {

namespace {

constexpr unsigned bits_16 = 1, bits_32 = 2, bits_64 = 3;  // of destination_size and source_size

double to_integral(unsigned rounding, double value) {
  switch (rounding) {
    case 0: return std::nearbyint(value);
    case 1: return std::floor(value);
    case 2: return std::ceil(value);
    default: return std::trunc(value);
  }
}

// Numbers in double precision, which has room for all of them. A part of a register but the lowest is not known.
Lanes<double> real_source(Operands& in, unsigned size) {
  Lanes<double> result{};
  if (size == bits_64) return as<double>(in.long_real(1));
  if (size == bits_32) {
    Words bits = in.real(1);
    flush(in, bits);
    for (unsigned i = 0; i < warp_lanes; ++i) result[i] = double{std::bit_cast<float>(bits[i])};
    return result;
  }
  if (size != bits_16 || in.field(60, 4) != 0 || in.bit(86)) {
    in.refuse();
    return result;
  }
  const Words& bits = in.word(1);
  for (unsigned i = 0; i < warp_lanes; ++i) result[i] = double{from_half(static_cast<uint16_t>(bits[i]))};
  return result;
}

// In the rounding of the instruction, of numbers that are rounded to a smaller size.
void set_real(Operands& in, unsigned size, const Lanes<double>& values) {
  if (size == bits_64) return in.set_pair(0, as<uint64_t>(values));
  Words result;
  if (size == bits_32) {
    in_rounding(in.modifier(Modifier::rounding), [&] {
      for (unsigned i = 0; i < warp_lanes; ++i) result[i] = std::bit_cast<uint32_t>(static_cast<float>(values[i]));
    });
    flush(in, result);
  } else {
    if (size != bits_16 || in.has(Modifier::rounding)) in.refuse();
    for (unsigned i = 0; i < warp_lanes; ++i) result[i] = to_half(values[i]);
  }
  in.set(0, result);
}

// What does not fit becomes the nearest that does; no number becomes 0 in 32 bits or less, else the smallest negative
// one.
template <typename Integer>
uint64_t saturated(double value) {
  using Limits = std::numeric_limits<Integer>;
  if (std::isnan(value)) return sizeof(Integer) == 8 ? uint64_t{1} << 63 : 0;
  if (value <= static_cast<double>(Limits::min())) return static_cast<uint64_t>(Limits::min());
  if (value >= static_cast<double>(Limits::max())) return static_cast<uint64_t>(Limits::max());
  return static_cast<uint64_t>(static_cast<Integer>(value));
}

uint64_t to_integer(double value, unsigned size, bool is_signed) {
  switch (size) {
    case 0: return is_signed ? saturated<int8_t>(value) : saturated<uint8_t>(value);
    case bits_16: return is_signed ? saturated<int16_t>(value) : saturated<uint16_t>(value);
    case bits_32: return is_signed ? saturated<int32_t>(value) : saturated<uint32_t>(value);
    default: return is_signed ? saturated<int64_t>(value) : saturated<uint64_t>(value);
  }
}

void f2i(Operands& in) {
  const Lanes<double> given = real_source(in, in.modifier(Modifier::source_size));
  const unsigned size = in.modifier(Modifier::destination_size), rounding = in.modifier(Modifier::rounding);
  const bool is_signed = in.has(Modifier::destination_signed);
  Longs result;
  for (unsigned i = 0; i < warp_lanes; ++i) result[i] = to_integer(to_integral(rounding, given[i]), size, is_signed);
  if (size == bits_64) return in.set_pair(0, result);
  Words low;
  for (unsigned i = 0; i < warp_lanes; ++i) low[i] = static_cast<uint32_t>(result[i]);
  in.set(0, low);
}

// Extended to 64 bits. A part of a register but the lowest is not known.
Longs integer_source(Operands& in, unsigned size) {
  if (size == bits_64) return in.pair(1);
  if (size < bits_32 && in.field(60, 2) != 0) in.refuse();
  const unsigned unused = 64 - (8U << size);
  const bool is_signed = in.has(Modifier::source_signed);
  const Words& given = in.word(1);
  Longs result;
  for (unsigned i = 0; i < warp_lanes; ++i) {
    const uint64_t left = uint64_t{given[i]} << unused;
    result[i] = is_signed ? static_cast<uint64_t>(static_cast<int64_t>(left) >> unused) : left >> unused;
  }
  return result;
}

template <typename Real>
Lanes<Real> from_integers(Operands& in, const Longs& values) {
  Lanes<Real> result;
  const bool is_signed = in.has(Modifier::source_signed);
  in_rounding(in.modifier(Modifier::rounding), [&] {
    for (unsigned i = 0; i < warp_lanes; ++i)
      result[i] = is_signed ? static_cast<Real>(static_cast<int64_t>(values[i])) : static_cast<Real>(values[i]);
  });
  return result;
}

void convert_integer(Operands& in, unsigned from, unsigned to) {
  const Longs values = integer_source(in, from);
  if (to == bits_64) return in.set_pair(0, as<uint64_t>(from_integers<double>(in, values)));
  if (to == bits_32) return in.set(0, as<uint32_t>(from_integers<float>(in, values)));
  set_real(in, to, from_integers<double>(in, values));
}

void i2f(Operands& in) {
  convert_integer(in, in.modifier(Modifier::source_size), in.modifier(Modifier::destination_size));
}

void i2fp(Operands& in) { convert_integer(in, bits_32, bits_32); }

void f2f(Operands& in) {
  if (in.bit(77) || in.bit(86)) return in.refuse();
  set_real(in, in.modifier(Modifier::destination_size), real_source(in, in.modifier(Modifier::source_size)));
}

void frnd(Operands& in) {
  const unsigned size = in.modifier(Modifier::source_size), rounding = in.modifier(Modifier::rounding);
  if (size < bits_32 || in.modifier(Modifier::destination_size) != size) return in.refuse();
  Lanes<double> values = real_source(in, size);
  for (unsigned i = 0; i < warp_lanes; ++i) values[i] = to_integral(rounding, values[i]);
  set_real(in, size, values);
}

constexpr Row<Action> rows[] = {
    {"F2I", f2i},    {"UF2I", f2i}, {"I2F", i2f},  {"UI2F", i2f},  {"I2FP", i2fp},
    {"UI2FP", i2fp}, {"F2F", f2f},  {"UF2F", f2f}, {"FRND", frnd}, {"UFRND", frnd},
};

}  // namespace

Action conversion_action(std::string_view mnemonic) { return find_row<Action>(rows, mnemonic); }

}  // namespace warpspan::execution
