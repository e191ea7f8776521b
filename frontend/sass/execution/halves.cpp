// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic of pairs of 16-bit numbers: computed in double precision, where their products are exact, and rounded
// once.
#include "frontend/sass/execution/halves.hpp"

#include <algorithm>
#include <cmath>

#include "frontend/sass/execution/reals.hpp"
#include "frontend/sass/execution/table.hpp"

namespace warpspan::execution {

namespace {

bool is_bfloat(const Operands& in) { return in.bit(85); }

// Where an operand stands in the word, by the form of the sources (frontend/sass/words/opcodes/README.md), and with
// that its choice of halves, its minus and its absolute value.
struct Places {
  unsigned choice, minus, absolute;
};

// nth: of the sources, from 0.
Places places_of(const Operands& in, unsigned nth) {
  constexpr Places at_24 = {74, 72, 73}, at_32 = {60, 63, 62}, at_64 = {81, 84, 83};
  const unsigned form = in.field(9, 3);
  const bool exchanged = form == 2 || form == 3 || form == 7;
  if (nth == 0) return at_24;
  return (nth == 1) != exchanged ? at_32 : at_64;
}

uint32_t rounded(double value, bool bfloat) { return bfloat ? to_bfloat(value) : to_half(value); }

// FTZ: bit 80. Saturation: bit 77.
double finished(const Operands& in, double value) {
  if (in.bit(77)) value = value > 0 ? std::fmin(value, 1) : 0;
  constexpr double least_normal = 0x1p-14;
  if (in.bit(80) && !is_bfloat(in) && std::fabs(value) < least_normal) value = std::copysign(0, value);
  return value;
}

template <typename Operation>
void of_pairs(Operands& in, bool three, const Operation& operation) {
  const HalfPair a = half_source(in, 1), b = half_source(in, 2), c = three ? half_source(in, 3) : a;
  Words result;
  for (unsigned i = 0; i < warp_lanes; ++i) {
    const auto half = [&](unsigned which) {
      const double exact = operation(double{a.half[which][i]}, double{b.half[which][i]}, double{c.half[which][i]});
      return rounded(finished(in, exact), is_bfloat(in));
    };
    result[i] = half(0) | half(1) << 16;
  }
  in.set(0, result);
}

// Bit 78: the result is one number of single precision, of the lower halves.
void hadd2(Operands& in) {
  if (!in.bit(78)) return of_pairs(in, false, [](double a, double b, double) { return a + b; });
  const HalfPair a = half_source(in, 1), b = half_source(in, 2);
  Lanes<float> result;
  for (unsigned i = 0; i < warp_lanes; ++i) result[i] = a.half[0][i] + b.half[0][i];
  in.set(0, as<uint32_t>(result));
}

void hmul2(Operands& in) {
  if (in.bit(78)) return in.refuse();
  of_pairs(in, false, [](double a, double b, double) { return a * b; });
}

void hfma2(Operands& in) {
  const auto is_zero = [&](size_t index) { return in.operand(index).is_fixed_register(); };
  if (is_zero(1) && is_zero(2) && in.bit(72)) return in.set(0, in.bare(3));  // -0 + c: ptxas moves constants so
  if (in.bit(76) || in.bit(79)) return in.refuse();
  of_pairs(in, true, [](double a, double b, double c) { return a * b + c; });
}

void hmnmx2(Operands& in) {
  if (in.bit(82)) return in.refuse();
  const HalfPair a = half_source(in, 1), b = half_source(in, 2);
  const LaneSet lesser = in.flag(3);
  Words result;
  for (unsigned i = 0; i < warp_lanes; ++i) {
    const auto half = [&](unsigned which) {
      const float x = a.half[which][i], y = b.half[which][i];
      if (in.bit(81) && (std::isnan(x) || std::isnan(y))) return uint32_t{0x7fff};
      return rounded(double{(lesser >> i & 1) != 0 ? std::fmin(x, y) : std::fmax(x, y)}, is_bfloat(in));
    };
    result[i] = half(0) | half(1) << 16;
  }
  in.set(0, result);
}

// Two numbers of single precision, the first into the upper half. Of the types of bits 72 to 90 those that were
// observed.
void f2fp(Operands& in) {
  const bool bfloat = in.bit(76);
  if (in.field(72, 4) != 0 || in.field(77, 7) != 0 || in.field(85, 6) != 0) return in.refuse();
  const Lanes<float> high = as<float>(in.word(1)), low = as<float>(in.word(2));
  Words result;
  for (unsigned i = 0; i < warp_lanes; ++i)
    result[i] = rounded(double{low[i]}, bfloat) | rounded(double{high[i]}, bfloat) << 16;
  in.set(0, result);
}

constexpr Row<Action> rows[] = {
    {"HADD2", hadd2}, {"HMUL2", hmul2}, {"HFMA2", hfma2}, {"HFMA2.MMA", hfma2}, {"HMNMX2", hmnmx2}, {"F2FP", f2fp},
};

// A number without its sign, rounded to nearest even, in a format of so many bits of fraction and of exponent.
uint16_t packed(double value, int fraction, int exponent_bits) {
  constexpr int all_fraction = 52, bias = 1023;
  const int own_bias = (1 << (exponent_bits - 1)) - 1;
  const auto bits = std::bit_cast<uint64_t>(value);
  const int exponent = static_cast<int>(bits >> all_fraction & 0x7ff) - bias;
  const auto infinity = static_cast<uint16_t>(((1 << exponent_bits) - 1) << fraction);
  if (exponent > own_bias) return infinity;
  const uint64_t digits = (bits & ((uint64_t{1} << all_fraction) - 1)) | uint64_t{1} << all_fraction;
  const int shift = all_fraction - fraction + std::max(0, 1 - own_bias - exponent);
  if (shift > all_fraction + 1) return 0;
  uint64_t kept = digits >> shift;
  const uint64_t rest = digits - (kept << shift), half = uint64_t{1} << (shift - 1);
  if (rest > half || (rest == half && kept % 2 == 1)) ++kept;
  if (exponent > -own_bias) kept += static_cast<uint64_t>(exponent + own_bias - 1) << fraction;
  return static_cast<uint16_t>(std::min<uint64_t>(kept, infinity));
}

uint16_t packed_with_sign(double value, int fraction, int exponent_bits) {
  if (std::isnan(value)) return 0x7fff;
  return static_cast<uint16_t>(packed(std::fabs(value), fraction, exponent_bits) | (std::signbit(value) ? 0x8000 : 0));
}

}  // namespace

float from_half(uint16_t bits) {
  const uint32_t sign = uint32_t{bits} >> 15 << 31, exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000 | fraction << 13);
  if (exponent == 0) {
    const float value = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -value : value;
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

uint16_t to_half(double value) { return packed_with_sign(value, 10, 5); }

float from_bfloat(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

uint16_t to_bfloat(double value) { return packed_with_sign(value, 7, 8); }

HalfPair half_source(Operands& in, size_t index) {
  const size_t first = in.operand(1).register_class == sass::RegisterClass::predicate ? 2 : 1;
  const bool immediate = in.operand(index).kind == sass::OperandKind::immediate;
  const Places places = places_of(in, static_cast<unsigned>(index - first));
  const unsigned choice = immediate ? 0 : in.field(places.choice, 2);  // 0 both, 2 twice the lower, 3 the upper
  const bool minus = !immediate && in.bit(places.minus), absolute = !immediate && in.bit(places.absolute);
  if (choice == 1) in.refuse();
  const bool bfloat = is_bfloat(in);
  const Words& words = in.bare(index);
  HalfPair result;
  for (unsigned which = 0; which < 2; ++which) {
    const unsigned shift = choice == 0 ? 16 * which : choice == 3 ? 16 : 0;
    for (unsigned i = 0; i < warp_lanes; ++i) {
      auto bits = static_cast<uint16_t>(words[i] >> shift);
      if (absolute) bits &= 0x7fff;
      if (minus) bits ^= 0x8000;
      result.half[which][i] = bfloat ? from_bfloat(bits) : from_half(bits);
    }
  }
  return result;
}

Action half_action(std::string_view mnemonic) { return find_row<Action>(rows, mnemonic); }

}  // namespace warpspan::execution
