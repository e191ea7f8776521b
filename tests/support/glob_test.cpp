// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/glob.hpp"

#include <catch2/catch.hpp>

using warpspan::support::matches;

TEST_CASE("a star stands for any characters") {
  CHECK(matches("setp.*", "setp.lt.s32"));
  CHECK(matches("*", ""));
  CHECK(matches("*16", "add.u16"));
  CHECK_FALSE(matches("*16", "add.u16x2"));
  CHECK(matches("cvt.*64.*32", "cvt.rn.f64.f64.u32"));
  CHECK(matches("a*b*c", "abbbc"));
  CHECK_FALSE(matches("a*b*c", "abbb"));
  CHECK_FALSE(matches("", "x"));
  CHECK(matches("", ""));
  CHECK_FALSE(matches("add", "add.s32"));
}
