// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/numbers/percent.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <random>

using namespace warpspan;
using namespace warpspan::app;

namespace {

__extension__ using Wide = __int128;

Percent percent(const std::string& text) { return parse_percent("--x", text).value(); }

// before * (1 + percent) < after, in numbers that cannot overflow: 63 + 60 bits.
bool exceeds_by_definition(int64_t before, int64_t after, const Percent& allowed) {
  const Wide whole = 100 * power_of_ten(allowed.amount.decimals);
  return Wide{before} * (whole + allowed.amount.digits) < Wide{after} * whole;
}

}  // namespace

TEST_CASE("a percentage is read exactly") {
  const auto is = [](const std::string& text, int64_t digits, int decimals) {
    const Percent read = percent(text);
    CHECK(read.amount.digits == digits);
    CHECK(read.amount.decimals == decimals);
    CHECK(read.text == text);
  };
  is("5%", 5, 0);
  is("0%", 0, 0);
  is("2.5%", 25, 1);
  is("0.000000001%", 1, 9);
  is("1000000000%", 1'000'000'000, 0);
  is("1000000000.000000000%", 1'000'000'000'000'000'000, 9);
  for (const char* text : {"", "%", "5", "-5%", "+5%", "5 %", " 5%", ".5%", "5.%", "5.1234567891%", "1000000001%",
                           "1000000000.1%", "5%%", "1e2%", "99999999999999999999%", "0x5%", "5,5%"}) {
    INFO(text);
    const auto wrong = parse_percent("--fail-on-regression", text);
    REQUIRE_FALSE(wrong);
    CHECK(wrong.errors().front().message ==
          "--fail-on-regression: expected a percentage from 0% to 1000000000%, such as 10% or 2.5%, got '" +
              std::string(text) + "'");
  }
}

TEST_CASE("a bound exceeds what is allowed exactly where the fraction says so") {
  CHECK_FALSE(exceeds(100, 105, percent("5%")));
  CHECK(exceeds(100, 106, percent("5%")));
  CHECK(exceeds(0, 1, percent("1000000000%")));
  CHECK_FALSE(exceeds(5, 5, percent("0%")));
  CHECK(exceeds(5, 6, percent("0%")));
  CHECK_FALSE(exceeds(100, 1, percent("0%")));
  constexpr int64_t largest = std::numeric_limits<int64_t>::max();
  std::mt19937_64 random(5);
  for (int round = 0; round < 20'000; ++round) {
    const int64_t before = static_cast<int64_t>(random() >> (1 + random() % 63));
    const int decimals = static_cast<int>(random() % 10);
    const auto digits = static_cast<int64_t>(random() % (most_percent * power_of_ten(decimals) + 1) >> random() % 60);
    const Percent allowed = {{digits, decimals}, "x"};
    const Wide whole = 100 * power_of_ten(decimals);
    const Wide most = Wide{before} * (whole + digits) / whole;
    const int64_t near = most > largest - 2 ? largest - 2 : static_cast<int64_t>(most);
    for (const int64_t after : {near - 1, near, near + 1, near + 2, static_cast<int64_t>(random() >> 1)}) {
      if (after < 0) continue;
      INFO(before << " " << after << " " << digits << " " << decimals);
      REQUIRE(exceeds(before, after, allowed) == exceeds_by_definition(before, after, allowed));
    }
  }
}

TEST_CASE("margins and ratchets are exact") {
  CHECK(with_margin(100, percent("10%")) == 110);
  CHECK(with_margin(101, percent("10%")) == 112);  // 111.1
  CHECK(with_margin(1'000, percent("2.5%")) == 1'025);
  CHECK(with_margin(7, percent("0%")) == 7);
  CHECK(with_margin(INT64_MAX, percent("0%")) == INT64_MAX);
  CHECK(with_margin(INT64_MAX, percent("0.000000001%")) == std::nullopt);
  CHECK_FALSE(is_below(98, 100, percent("2%")));
  CHECK(is_below(97, 100, percent("2%")));
  CHECK(is_below(99, 100, percent("0%")));
  CHECK_FALSE(is_below(100, 100, percent("0%")));
  CHECK_FALSE(is_below(0, 0, percent("0%")));
  CHECK_FALSE(is_below(0, INT64_MAX, percent("100%")));
  CHECK(is_below(INT64_MAX - 1, INT64_MAX, percent("0%")));
  for (const char* text : {"", "%", "10", "10 %", "-1%", "101%", "100.1%", "1e1%", "nan%", "10%%", ".5%"}) {
    const auto wrong = parse_percent("--margin", text, 100);
    INFO(text);
    REQUIRE_FALSE(wrong);
    CHECK(wrong.errors().front().message ==
          "--margin: expected a percentage from 0% to 100%, such as 10% or 2.5%, got '" + std::string(text) + "'");
  }
}

TEST_CASE("a tolerance is rounded down") {
  CHECK(with_tolerance(100, percent("5%")) == 105);
  CHECK(with_tolerance(101, percent("5%")) == 106);
  CHECK(with_tolerance(19, percent("5%")) == 19);
  CHECK(with_tolerance(0, percent("5%")) == 0);
  CHECK_FALSE(with_tolerance(std::numeric_limits<int64_t>::max(), percent("1%")));
}
