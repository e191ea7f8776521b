// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/makespan/result.hpp"

#include <catch2/catch.hpp>

using namespace warpspan::solver;
using warpspan::support::Integer;

TEST_CASE("kinds and statuses have the names that reports use") {
  CHECK(to_string(Kind::exact) == "exact");
  CHECK(to_string(Kind::upper) == "upper");
  CHECK(to_string(Kind::lower) == "lower");
  CHECK(to_string(Kind::published) == "published");
  CHECK(to_string(Status::optimal) == "optimal");
  CHECK(to_string(Status::time_limit) == "time-limit");
  CHECK(to_string(Status::too_large) == "too-large");
  CHECK(to_string(Status::overflow) == "overflow");
  CHECK(to_string(Status::not_applicable) == "not-applicable");
  CHECK(to_string(Status::failed) == "failed");
}

TEST_CASE("safety is withdrawn with a reason, and the value stays") {
  Bound bound;
  bound.makespan = 7;
  bound.safe = true;
  const Bound once = not_safe(bound, "the kernel has other paths");
  CHECK_FALSE(once.safe);
  CHECK(once.makespan == 7);
  CHECK(once.remark == "the kernel has other paths");
  CHECK(not_safe(once, "below a schedule").remark == "below a schedule; the kernel has other paths");
}

TEST_CASE("a bound whose value overflowed has no value and is not safe") {
  Bound safe;
  safe.safe = true;
  const Bound found = with_value(safe, 7);
  CHECK(found.makespan == 7);
  CHECK(found.safe);
  CHECK(found.status == Status::optimal);
  const Bound overflowed = with_value(found, Integer(INT64_MAX) + Integer(1));
  CHECK_FALSE(overflowed.makespan.has_value());
  CHECK_FALSE(overflowed.safe);
  CHECK(overflowed.status == Status::overflow);
  CHECK(overflowed.remark == "a number on the way to the bound exceeds 2^63 - 1");
}
