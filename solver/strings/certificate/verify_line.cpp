// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/certificate/verify_line.hpp"

#include <cstdint>
#include <utility>

namespace warpspan::solver {

using support::WideInteger;

namespace {

using Value = WideInteger::Value;

// In lowest terms; the denominator is positive.
std::optional<support::Rational> fraction(WideInteger numerator, int64_t denominator) {
  const auto known = numerator.value();
  if (!known) return std::nullopt;
  Value divisor = denominator, rest = *known % denominator;
  if (rest < 0) rest = -rest;
  while (rest != 0) divisor = std::exchange(rest, divisor % rest);
  const Value reduced = *known / divisor;
  if (reduced > INT64_MAX || reduced < -INT64_MAX) return std::nullopt;
  return support::make_rational(static_cast<int64_t>(reduced), static_cast<int64_t>(denominator / divisor));
}

}  // namespace

std::optional<Line> line_of(const LineParts& parts, const Certificate& certificate) {
  const auto slope = fraction(parts.other, certificate.denominator);
  const auto intercept = fraction(parts.followed - parts.other, certificate.denominator);
  if (!slope || !intercept) return std::nullopt;
  return Line{*slope, *intercept, certificate.least_workers, certificate.most_workers};
}

support::Integer makespan_on(const Line& line, int64_t workers) {
  const WideInteger slope_denominator = line.slope.denominator, intercept_denominator = line.intercept.denominator;
  const auto numerator = (WideInteger(line.slope.numerator) * workers * intercept_denominator +
                          WideInteger(line.intercept.numerator) * slope_denominator)
                             .value();
  const auto denominator = (slope_denominator * intercept_denominator).value();
  const support::Integer overflowed = support::Integer(INT64_MAX) + support::Integer(1);
  if (!numerator || !denominator) return overflowed;
  const Value floor = *numerator / *denominator - (*numerator % *denominator < 0 ? 1 : 0);
  if (floor > INT64_MAX || floor < INT64_MIN) return overflowed;
  return static_cast<int64_t>(floor);
}

}  // namespace warpspan::solver
