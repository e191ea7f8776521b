// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/checked.hpp"

#include <catch2/catch.hpp>

using namespace warpspan::support;

namespace {

const WideInteger two_to_126 = WideInteger(int64_t{1} << 62) * (int64_t{1} << 62) * 4;

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
