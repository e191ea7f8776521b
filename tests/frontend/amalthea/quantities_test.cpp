// SPDX-License-Identifier: GPL-3.0-or-later
// Amounts of models are exact, and rounded up where they have to be whole.
#include "frontend/amalthea/quantities.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "support/checked.hpp"

using namespace warpspan;
using namespace warpspan::amalthea;

namespace {

Element quantity(const std::string& value, const std::string& unit) {
  return {"q", 0, {{"value", value}, {"unit", unit}}, {}};
}

}  // namespace

TEST_CASE("times are picoseconds, and whole numbers only") {
  CHECK(time_of(quantity("33", "ms")).value == 33'000'000'000);
  CHECK(time_of(quantity("7", "ps")).value == 7);
  CHECK(time_of(quantity("0", "s")).value == 0);
  CHECK(time_of(quantity("9223372", "s")).value == 9'223'372'000'000'000'000);
  for (const auto& [value, unit] : std::vector<std::pair<std::string, std::string>>{
           {"9223373", "s"}, {"-1", "ms"}, {"1.5", "ms"}, {"", "ms"}, {"1", "min"}, {"1", "_undefined_"}, {"1", ""}}) {
    INFO(value << unit);
    CHECK_FALSE(time_of(quantity(value, unit)).value);
  }
  CHECK(time_of(quantity("1", "min")).written == "1 min");
  CHECK(time_of({"q", 0, {}, {}}).written == "no value without unit");
}

TEST_CASE("sizes are bytes, rounded up") {
  CHECK(size_of(quantity("1", "bit")).value == 1);
  CHECK(size_of(quantity("8", "bit")).value == 1);
  CHECK(size_of(quantity("9", "bit")).value == 2);
  CHECK(size_of(quantity("1", "kbit")).value == 125);
  CHECK(size_of(quantity("1", "kibit")).value == 128);
  CHECK(size_of(quantity("3", "byte")).value == 3);
  CHECK(size_of(quantity("750", "kB")).value == 750'000);
  CHECK(size_of(quantity("1", "MiB")).value == 1'048'576);
  CHECK(size_of(quantity("2", "TiB")).value == int64_t{2} << 40);
  CHECK(size_of(quantity("9223372036854775807", "bit")).value == (INT64_MAX / 8) + 1);
  CHECK_FALSE(size_of(quantity("9223372036854775807", "kB")).value);
  CHECK_FALSE(size_of(quantity("1", "KB")).value);
  CHECK_FALSE(size_of(quantity("-8", "bit")).value);
}

TEST_CASE("numbers of Java are read without loss") {
  const auto is = [](const char* text, int64_t digits, int exponent) {
    INFO(text);
    const auto number = decimal_of(text);
    REQUIRE(number);
    CHECK(number->digits == digits);
    CHECK(number->exponent == exponent);
  };
  is("1300.0", 13, 2);
  is("1.3E9", 13, 8);
  is("1.3e+9", 13, 8);
  is("0.1", 1, -1);
  is("5.0E-4", 5, -4);
  is("123456789.123456789", 123456789123456789, -9);
  for (const char* text : {"", "0", "0.0", "-1", "1,5", ".5", "5.", "1e", "1e99", "NaN", "Infinity", "0x10", "1 ",
                           "1234567890123456789.5", "1.2.3"}) {
    INFO(text);
    CHECK_FALSE(decimal_of(text));
  }
}

TEST_CASE("times with units are whole picoseconds") {
  CHECK(picoseconds_of("33 ms") == 33'000'000'000);
  CHECK(picoseconds_of("1.5us") == 1'500'000);
  CHECK(picoseconds_of("0.001 ns") == 1);
  for (const char* text : {"", "33", "ms", "0.0001 ns", "-1 ms", "1 cycles", "99999999999 s", "1 ms ", "1..5 ms"}) {
    INFO(text);
    CHECK_FALSE(picoseconds_of(text));
  }
}

TEST_CASE("ticks become time by their frequency, rounded up") {
  CHECK(time_of_ticks(1, {3, 0}) == 333'333'333'334);
  CHECK(time_of_ticks(13, {13, 8}) == 10'000);  // 1.3 GHz
  CHECK(time_of_ticks(14, {13, 8}) == 10'770);  // 10,769.2
  CHECK(time_of_ticks(0, {13, 8}) == 0);
  CHECK(time_of_ticks(300, {1, 9}, {15, -1}) == 200'000);  // instructions, 1.5 in a tick
  CHECK_FALSE(time_of_ticks(INT64_MAX, {1, 0}));
  CHECK_FALSE(time_of_ticks(1, {1, -30}));
}

TEST_CASE("a time of ticks is the least that is no shorter") {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20'000; ++i) {
    const auto ticks = static_cast<int64_t>(random() >> (20 + random() % 40));
    const auto digits = static_cast<int64_t>(1 + random() % 2'000'000);
    const Decimal hertz = {digits, static_cast<int>(random() % 5)};
    const auto time = time_of_ticks(ticks, hertz);
    if (!time) continue;
    support::Int128 rate = digits;  // in Hz
    for (int j = 0; j < hertz.exponent; ++j) rate *= 10;
    const support::Int128 wanted = support::Int128(ticks) * 1'000'000'000'000;  // ticks in picoseconds at 1 Hz
    REQUIRE(*time * rate >= wanted);
    if (*time > 0) REQUIRE((*time - 1) * rate < wanted);
  }
}
