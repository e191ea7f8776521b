// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/written_integer.hpp"

#include <catch2/catch.hpp>

using namespace warpspan;
using namespace warpspan::support;

TEST_CASE("integers are read as they are written") {
  const auto is = [](const char* text, bool negative, uint64_t magnitude) {
    const auto integer = written_integer(text);
    REQUIRE(integer);
    CHECK(integer->negative == negative);
    CHECK(integer->magnitude == magnitude);
  };
  is("0", false, 0);
  is("-0", false, 0);
  is("007", false, 7);
  is("0xFf", false, 255);
  is("0X10", false, 16);
  is("-0x10", true, 16);
  is("18446744073709551615", false, UINT64_MAX);
  is("-9223372036854775808", true, uint64_t{1} << 63);
  for (const char* text : {"", "-", "--1", "+1", "1 ", " 1", "0x", "0x-1", "x", "1.", "1.5", "18446744073709551616",
                           "-9223372036854775809", "1..2"}) {
    INFO(text);
    CHECK(!written_integer(text));
  }
}

TEST_CASE("ranges are read as they are written") {
  const auto range = written_range("-4..0x10");
  REQUIRE(range);
  CHECK((range->first.negative && range->first.magnitude == 4));
  CHECK((!range->last.negative && range->last.magnitude == 16));
  REQUIRE(written_range("5"));
  CHECK(written_range("5")->last.magnitude == 5);
  CHECK(written_range("9..3"));
  for (const char* text : {"..", "1..", "..1", "1...2", "1..2..3", "1.2", "a..b", ""}) {
    INFO(text);
    CHECK(!written_range(text));
  }
}

TEST_CASE("written integers are in order") {
  const char* ascending[] = {"-9223372036854775808", "-2", "-1", "0", "1", "18446744073709551615"};
  for (size_t i = 0; i < std::size(ascending); ++i) {
    for (size_t j = 0; j < std::size(ascending); ++j) {
      CHECK((*written_integer(ascending[i]) < *written_integer(ascending[j])) == (i < j));
    }
  }
}

TEST_CASE("what fits so many bits") {
  for (const int bits : {8, 16, 32, 64}) {
    const uint64_t half = uint64_t{1} << (bits - 1);
    const uint64_t all = half - 1 + half;
    CHECK(in_bits({false, all}, bits) == all);
    CHECK(in_bits({true, half}, bits) == half);
    CHECK(in_bits({true, 1}, bits) == all);
    if (bits == 64) continue;
    CHECK(!in_bits({false, all + 1}, bits));
    CHECK(!in_bits({true, half + 1}, bits));
  }
}
