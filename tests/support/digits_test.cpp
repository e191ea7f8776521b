// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/digits.hpp"

#include <catch2/catch.hpp>

using warpspan::support::hexadecimal;
using warpspan::support::parse_digits;

TEST_CASE("hexadecimal digits, with zeros in front") {
  CHECK(hexadecimal(0) == "0");
  CHECK(hexadecimal(0xbeef) == "beef");
  CHECK(hexadecimal(0xbeef, 2) == "beef");
  CHECK(hexadecimal(0xa0, 4) == "00a0");
  CHECK(hexadecimal(1, 16) == "0000000000000001");
  CHECK(hexadecimal(UINT64_MAX) == "ffffffffffffffff");
}

TEST_CASE("what is written is read again") {
  for (uint64_t value = 1; value != 0; value = value * 3 + 1 > value ? value * 3 + 1 : 0) {
    CHECK(parse_digits<uint64_t>(hexadecimal(value), 16) == value);
    CHECK(parse_digits<uint64_t>(hexadecimal(value, 16), 16) == value);
  }
}

TEST_CASE("digits are nothing else") {
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "0x1", "10000000000000000"}) {
    CHECK_FALSE(parse_digits<uint64_t>(text, 16));
  }
}
