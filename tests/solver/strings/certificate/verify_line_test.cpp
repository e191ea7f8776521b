// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/certificate/verify_line.hpp"

#include <catch2/catch.hpp>

using namespace warpspan::solver;
using warpspan::support::WideInteger;

namespace {

const WideInteger two_to_126 = WideInteger(int64_t{1} << 62) * (int64_t{1} << 62) * 4;

Certificate with_denominator(int64_t denominator) {
  Certificate certificate;
  certificate.denominator = denominator;
  return certificate;
}

}  // namespace

TEST_CASE("a line is in lowest terms, and its numbers fit or there is none") {
  const auto line = line_of({-6, 9}, with_denominator(4));
  REQUIRE(line);
  CHECK(*line == Line{{-3, 2}, {15, 4}});
  CHECK(line_of({0, 0}, with_denominator(INT64_MAX)) == Line{{0, 1}, {0, 1}});
  CHECK(line_of({INT64_MAX, INT64_MAX}, with_denominator(1)));
  CHECK_FALSE(line_of({INT64_MAX, WideInteger(INT64_MAX) * 3}, with_denominator(1)));
  CHECK_FALSE(line_of({INT64_MIN, 0}, with_denominator(1)));
  CHECK(line_of({two_to_126, two_to_126}, with_denominator(1)) == std::nullopt);
  // followed - other wraps, although each of both has 128 bits.
  CHECK(line_of({WideInteger(0) - two_to_126 - two_to_126, 0}, with_denominator(1)) == std::nullopt);
}
