// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/expected_time.hpp"

#include <catch2/catch.hpp>

using namespace warpspan::app;

TEST_CASE("a rough time has three digits that count") {
  CHECK(rough_duration(0, 1'000'000) == "0.00 ns");
  CHECK(rough_duration(7, 1'000'000) == "7.00 ns");
  CHECK(rough_duration(1, 2'000'000) == "0.50 ns");
  CHECK(rough_duration(999, 1'000'000) == "999 ns");
  CHECK(rough_duration(1000, 1'000'000) == "1.00 us");
  CHECK(rough_duration(12'345, 1'000'000) == "12.3 us");
  CHECK(rough_duration(123'456, 1'000'000) == "123 us");
  CHECK(rough_duration(1'234'567, 1'000'000) == "1.23 ms");
  CHECK(rough_duration(12'345'678'901, 1'000'000) == "12.3 s");
  CHECK(rough_duration(INT64_MAX, 1) == "9223372036854776 s");
}

TEST_CASE("an estimate says that it is one, and how far off it usually is") {
  ExpectedTime expected;
  expected.method = ExpectedTime::Method::simulated;
  expected.usual_factor = 120;
  CHECK(caution(expected) == "estimate, not safe: within 1.2 times for two launches of three");
  expected.usual_factor = 205;
  CHECK(caution(expected) == "estimate, not safe: within 2.05 times for two launches of three");
  expected.usual_factor.reset();
  CHECK(caution(expected) == "estimate, not safe: nobody has measured how far off it is");
  expected.depends_on_data = true;
  CHECK(caution(expected) == "estimate, not safe: what memory holds decides it");
  expected = {};
  expected.usual_factor = 300;
  CHECK(caution(expected) == "rough estimate, not safe: within 3 times for two launches of three");
}
