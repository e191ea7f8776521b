// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic of single and double precision. MUFU is as exact as the host.
#include <cmath>
#include <numbers>

#include "frontend/sass/execution/operands.hpp"
#include "frontend/sass/execution/reals.hpp"
#include "frontend/sass/execution/table.hpp"

namespace warpspan::execution {

namespace {

// Bit 77: the result is limited to 0 and 1, and to 0 where it is no number.
void finish(Operands& in, Lanes<float>& result) {
  if (in.bit(77)) {
    for (unsigned i = 0; i < warp_lanes; ++i) result[i] = result[i] > 0 ? std::fmin(result[i], 1.0F) : 0;
  }
  Words bits = as<uint32_t>(result);
  flush(in, bits);
  in.set(0, bits);
}

Lanes<float> source(Operands& in, size_t index) {
  if (!in.bit(80)) return as<float>(in.real(index));
  Words bits = in.real(index);
  flush(in, bits);
  return as<float>(bits);
}

template <typename Operation>
void of_two(Operands& in, const Operation& operation) {
  const Lanes<float> a = source(in, 1), b = source(in, 2);
  Lanes<float> result;
  in_rounding(in.modifier(Modifier::rounding), [&] {
    for (unsigned i = 0; i < warp_lanes; ++i) result[i] = operation(a[i], b[i]);
  });
  finish(in, result);
}

void fadd(Operands& in) {
  of_two(in, [](float a, float b) { return a + b; });
}

void fmul(Operands& in) {
  // D8 D4 D2 _ M2 M4 M8: the product is scaled by a power of two before it is rounded, which a double has room for.
  const unsigned scale = in.field(84, 3);
  constexpr unsigned unscaled = 4;
  if (scale == 0) return in.refuse();
  if (scale == unscaled) return of_two(in, [](float a, float b) { return a * b; });
  const double factor = std::ldexp(1.0, static_cast<int>(scale) - static_cast<int>(unscaled));
  of_two(in, [factor](float a, float b) { return static_cast<float>(double{a} * double{b} * factor); });
}

// The sum of the exact product, which a double has room for, and c, in double precision and rounded to odd, is rounded
// once more to what one rounding would give: Boldo and Melquiond, "Emulation of a FMA and Correctly Rounded Sums:
// Proved Algorithms Using Rounding to Odd", IEEE Transactions on Computers 57 (2008). The error of the sum is Knuth's.
float fused(float a, float b, float c) {
  const double product = double{a} * double{b}, addend = c;
  const double sum = product + addend;
  const double part = sum - product;
  const double error = (product - (sum - part)) + (addend - part);
  auto bits = std::bit_cast<uint64_t>(sum);
  const bool inexact = error < 0 || error > 0;  // false where there is no number, or infinity
  const bool towards = (error > 0) == (sum > 0);
  const uint64_t odd = bits | 1, below = (bits - 1) | 1;
  bits = inexact ? (towards ? odd : (bits & 1) != 0 ? bits : below) : bits;
  return static_cast<float>(std::bit_cast<double>(bits));
}

void ffma(Operands& in) {
  const Lanes<float> a = source(in, 1), b = source(in, 2), c = source(in, 3);
  Lanes<float> result;
  if (in.modifier(Modifier::rounding) == 0) {
    for (unsigned i = 0; i < warp_lanes; ++i) result[i] = fused(a[i], b[i], c[i]);
  } else {
    in_rounding(in.modifier(Modifier::rounding), [&] {
      for (unsigned i = 0; i < warp_lanes; ++i) result[i] = std::fma(a[i], b[i], c[i]);
    });
  }
  finish(in, result);
}

template <typename Operation>
void of_doubles(Operands& in, bool three, const Operation& operation) {
  const Lanes<double> a = as<double>(in.long_real(1)), b = as<double>(in.long_real(2));
  const Lanes<double> c = three ? as<double>(in.long_real(3)) : a;
  Lanes<double> result;
  in_rounding(in.modifier(Modifier::rounding), [&] {
    for (unsigned i = 0; i < warp_lanes; ++i) result[i] = operation(a[i], b[i], c[i]);
  });
  in.set_pair(0, as<uint64_t>(result));
}

void dadd(Operands& in) {
  of_doubles(in, false, [](double a, double b, double) { return a + b; });
}
void dmul(Operands& in) {
  of_doubles(in, false, [](double a, double b, double) { return a * b; });
}
void dfma(Operands& in) {
  of_doubles(in, true, [](double a, double b, double c) { return std::fma(a, b, c); });
}

// RCP64H and RSQ64H see and make the upper half of a double.
float of_upper_half(float upper, bool root) {
  const auto value = std::bit_cast<double>(uint64_t{std::bit_cast<uint32_t>(upper)} << 32);
  const double result = 1 / (root ? std::sqrt(value) : value);
  return std::bit_cast<float>(static_cast<uint32_t>(std::bit_cast<uint64_t>(result) >> 32));
}

// COS SIN EX2 LG2 RCP RSQ RCP64H RSQ64H SQRT TANH. Angles are in full circles.
float special_function(unsigned function, float x) {
  const double angle = 2 * std::numbers::pi * static_cast<double>(x);
  switch (function) {
    case 0: return static_cast<float>(std::cos(angle));
    case 1: return static_cast<float>(std::sin(angle));
    case 2: return std::exp2(x);
    case 3: return std::log2(x);
    case 4: return 1 / x;
    case 5: return 1 / std::sqrt(x);
    case 6: return of_upper_half(x, false);
    case 7: return of_upper_half(x, true);
    case 8: return std::sqrt(x);
    default: return std::tanh(x);
  }
}

void mufu(Operands& in) {
  const unsigned function = in.modifier(Modifier::function);
  if (function > 9 || in.field(72, 2) != 0 || in.bit(80)) return in.refuse();  // of halves
  const Lanes<float> x = as<float>(in.real(1));
  Lanes<float> result{};
  for_each_lane(in.lanes(), [&](unsigned i) { result[i] = special_function(function, x[i]); });
  in.set(0, as<uint32_t>(result));
}

int exponent(uint32_t bits) { return static_cast<int>(bits >> 23 & 0xff) - 127; }

// Whether a / b needs more than reciprocal and corrections: an operand, the quotient or a partial remainder may be
// beyond the normal numbers.
void fchk(Operands& in) {
  const Words &first = in.real(1), &second = in.real(2);
  in.set_flag(0, lanes_with([&](unsigned i) {
                const int a = exponent(first[i]), b = exponent(second[i]);
                return a == 128 || b == 128 || a < -102 || b < -125 || b > 125 || a - b >= 126 || a - b <= -125;
              }));
}

constexpr Row<Action> rows[] = {
    {"FADD", fadd}, {"UFADD", fadd}, {"FMUL", fmul}, {"UFMUL", fmul}, {"FFMA", ffma}, {"UFFMA", ffma},
    {"DADD", dadd}, {"DMUL", dmul},  {"DFMA", dfma}, {"MUFU", mufu},  {"FCHK", fchk},
};

}  // namespace

Action float_action(std::string_view mnemonic) { return find_row<Action>(rows, mnemonic); }

}  // namespace warpspan::execution
