// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Let x and y be real numbers of each lane, with steps [a, b] and [c, d] and slack e and f in runs, as in
// lane_steps.cpp, without remainders modulo 2^bits.
//   1. x + y has [a + c, b + d] with slack e + f, -x has [-b, -a] with slack e, and c x, c of all lanes, [c a, c b] or
//      [c b, c a] with slack |c| e.
//   2. The smaller of x and y has [min(a, c), max(b, d)] with slack max(e, f).
//   3. A number x' within r of x has the steps of x with slack e + 2 r. A result of floating-point arithmetic of 32
//   bits
//      or more is within 2^-23 |x| + 2^-126 of the exact one, x, whatever its rounding, and whether what is too near to
//      zero becomes zero or not.
//   4. x rounded down or up to integers has [floor(a), ceil(b)] with slack ceil(e); rounded towards zero likewise where
//      no x is below zero or none above, else, and to the nearest, with slack ceil(e) + 1.
// Proof. 1 and 2 as there. 3: of two lanes each is off by r at most; a number with 24 bits of mantissa is within half
// of its last bit, or all of it, of what it stands for, and the least normal number is 2^-126. 4: floor(x + y) -
// floor(x) is in [floor(y), ceil(y)], and floor(m a - e) >= m floor(a) - ceil(e), ceil(m b + e) <= m ceil(b) + ceil(e);
// rounded up is minus what -x is rounded down. Rounded otherwise, with x' the result and x'' the one rounded down, x' -
// x'' is 0 or 1 for both lanes. QED All ends are rounded outwards to units of 2^-20, of which 2^-126 is less than one.
#include "frontend/lift/values/real_steps.hpp"

#include <algorithm>

#include "support/checked.hpp"
#include "support/floor_divide.hpp"

namespace warpspan::lift {

namespace {

using support::ceil_divide;
using support::floor_divide;
using Wide = support::Int128;

constexpr int64_t unit = int64_t{1} << RealSteps::unit_bits;
constexpr int64_t widest = int64_t{1} << 56;  // of any end

bool fits(int64_t a) { return a > -widest && a < widest; }
bool fits(const RealSteps& a) {
  return fits(a.steps.least) && fits(a.steps.most) && fits(a.steps.slack) && fits(a.lowest) && fits(a.highest);
}
std::optional<RealSteps> if_fits(const RealSteps& a) { return fits(a) ? std::optional(a) : std::nullopt; }

// a * factor, rounded down or up; `widest` where it does not fit.
int64_t times(int64_t a, const ExactFloat& factor, bool up) {
  const Wide exact = static_cast<Wide>(a) * factor.mantissa;  // less than 2^56 * 2^54
  if (exact == 0) return 0;
  if (factor.exponent >= 0) {
    const bool is_wide =
        factor.exponent > 56 || exact >= widest >> factor.exponent || -exact >= widest >> factor.exponent;
    return is_wide ? widest : static_cast<int64_t>(exact) << factor.exponent;
  }
  if (factor.exponent < -120) return up == (exact > 0) ? (exact > 0 ? 1 : -1) : 0;
  const Wide divisor = static_cast<Wide>(1) << -factor.exponent;
  Wide quotient = exact / divisor;
  if (exact % divisor != 0 && up == (exact > 0)) quotient += exact > 0 ? 1 : -1;
  return quotient >= widest || -quotient >= widest ? widest : static_cast<int64_t>(quotient);
}

}  // namespace

std::optional<ExactFloat> exact_float(uint64_t value, unsigned bits) {
  if (bits != 32 && bits != 64) return std::nullopt;
  const unsigned fraction_bits = bits == 32 ? 23 : 52, exponent_bits = bits - 1 - fraction_bits;
  const auto fraction = static_cast<int64_t>(value & ((uint64_t{1} << fraction_bits) - 1));
  const auto exponent = static_cast<int>(value >> fraction_bits & ((uint64_t{1} << exponent_bits) - 1));
  const int largest = (1 << exponent_bits) - 1, bias = largest / 2;
  if (exponent == largest) return std::nullopt;
  const int64_t mantissa = exponent == 0 ? fraction : fraction + (int64_t{1} << fraction_bits);
  const bool is_negative = (value >> (bits - 1) & 1) != 0;
  return ExactFloat{is_negative ? -mantissa : mantissa, std::max(exponent, 1) - bias - static_cast<int>(fraction_bits)};
}

std::optional<RealSteps> reals_of(const ExactFloat& constant) {
  return if_fits({{}, times(unit, constant, false), times(unit, constant, true)});
}

std::optional<RealSteps> reals_of(const LaneSteps& integers, int64_t lowest, int64_t highest) {
  if (!fits(lowest) || !fits(highest)) return std::nullopt;
  const auto scaled = [](int64_t a) { return times(a, {unit, 0}, false); };
  return if_fits({{scaled(integers.least), scaled(integers.most), integers.cuts, scaled(integers.slack)},
                  scaled(lowest),
                  scaled(highest)});
}

std::optional<RealSteps> sum(const RealSteps& a, const RealSteps& b) {
  RealSteps result = a;
  result.steps.least += b.steps.least;
  result.steps.most += b.steps.most;
  result.steps.slack += b.steps.slack;
  result.steps.cuts.add(b.steps.cuts);
  result.lowest += b.lowest;
  result.highest += b.highest;
  return if_fits(result);
}

RealSteps negative(const RealSteps& a) {
  return {{-a.steps.most, -a.steps.least, a.steps.cuts, a.steps.slack}, -a.highest, -a.lowest};
}

std::optional<RealSteps> product(const RealSteps& a, const ExactFloat& factor) {
  if (factor.mantissa < 0) return product(negative(a), {-factor.mantissa, factor.exponent});
  return if_fits({{times(a.steps.least, factor, false), times(a.steps.most, factor, true), a.steps.cuts,
                   times(a.steps.slack, factor, true)},
                  times(a.lowest, factor, false),
                  times(a.highest, factor, true)});
}

std::optional<RealSteps> rounded(const RealSteps& a) {
  const int64_t off = (std::max(std::abs(a.lowest), std::abs(a.highest)) >> 23) + 1;
  RealSteps result = a;
  result.steps.slack += 2 * off;
  result.lowest -= off;
  result.highest += off;
  return if_fits(result);
}

RealSteps smaller(const RealSteps& a, const RealSteps& b) {
  RealSteps result{{std::min(a.steps.least, b.steps.least), std::max(a.steps.most, b.steps.most), a.steps.cuts,
                    std::max(a.steps.slack, b.steps.slack)},
                   std::min(a.lowest, b.lowest),
                   std::min(a.highest, b.highest)};
  result.steps.cuts.add(b.steps.cuts);
  return result;
}

WholeSteps whole(const RealSteps& a, ir::Rounding rounding) {
  const bool has_one_sign = a.lowest >= 0 || a.highest <= 0;
  const bool is_directed = rounding == ir::Rounding::down || rounding == ir::Rounding::up ||
                           (rounding == ir::Rounding::zero && has_one_sign);
  return {{floor_divide(a.steps.least, unit), ceil_divide(a.steps.most, unit), a.steps.cuts,
           ceil_divide(a.steps.slack, unit) + (is_directed ? 0 : 1)},
          floor_divide(a.lowest, unit),
          ceil_divide(a.highest, unit)};
}

}  // namespace warpspan::lift
