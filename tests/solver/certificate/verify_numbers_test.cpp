#include "solver/certificate/verify_numbers.hpp"

#include <catch2/catch.hpp>

#include "solver/certificate/verify_line.hpp"

using namespace warpspan::solver;

namespace {

const WideInteger two_to_126 = WideInteger(int64_t{1} << 62) * (int64_t{1} << 62) * 4;

Certificate with_denominator(int64_t denominator) {
  Certificate certificate;
  certificate.denominator = denominator;
  return certificate;
}

}  // namespace

TEST_CASE("wide integers remember that something overflowed") {
  CHECK(two_to_126.value());
  CHECK_FALSE((two_to_126 + two_to_126).value());
  CHECK((two_to_126 - 1 + two_to_126).value());
  CHECK_FALSE((WideInteger(0) - two_to_126 - two_to_126 - 1).value());
  CHECK((WideInteger(0) - two_to_126 - two_to_126).value());
  CHECK_FALSE((two_to_126 * 2).value());
  CHECK((two_to_126 * -2).value());
  // What has wrapped to a small number on the way stays marked.
  const WideInteger wrapped = two_to_126 + two_to_126 + two_to_126 + two_to_126;
  CHECK_FALSE(wrapped.value());
  CHECK_FALSE((wrapped * 0 + 5).value());
  CHECK_FALSE((WideInteger(5) - wrapped).value());
}

TEST_CASE("nothing that overflowed decides a comparison") {
  const WideInteger wrapped = two_to_126 * 2;
  CHECK(WideInteger(7).is_at_least(7));
  CHECK_FALSE(WideInteger(6).is_at_least(7));
  CHECK_FALSE(wrapped.is_at_least(INT64_MIN));
  CHECK(min(3, WideInteger(4)).value() == WideInteger(3).value());
  CHECK(min(WideInteger(4), 3).value() == WideInteger(3).value());
  CHECK_FALSE(min(wrapped, 3).value());
  CHECK_FALSE(min(WideInteger(3), wrapped).value());
}

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
