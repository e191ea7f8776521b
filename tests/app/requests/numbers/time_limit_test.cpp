// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/numbers/time_limit.hpp"

#include <catch2/catch.hpp>

using namespace warpspan;
using namespace warpspan::app;

namespace {

TimeLimit limit(const std::string& text) {
  const auto parsed = parse_time_limit(text);
  INFO(text);
  REQUIRE(parsed);
  return *parsed;
}

std::string message(const std::string& text) {
  const auto parsed = parse_time_limit(text);
  return parsed ? "no error" : parsed.errors().front().message;
}

}  // namespace

TEST_CASE("times are read exactly, and become the most cycles that end within them") {
  CHECK(most_cycles(limit("12000 cycles"), 1'410'000) == 12'000);
  CHECK(most_cycles(limit("1 cycle"), 1) == 1);
  CHECK(most_cycles(limit("500 ns"), 1'000'000) == 500);
  CHECK(most_cycles(limit("80 us"), 1'410'000) == 112'800);
  CHECK(most_cycles(limit("80us"), 1'410'000) == 112'800);
  CHECK(most_cycles(limit("80 \u00b5s"), 1'410'000) == 112'800);
  CHECK(most_cycles(limit("80 \u03bcs"), 1'410'000) == 112'800);
  CHECK(most_cycles(limit("1.5 ms"), 1'377'000) == 2'065'500);
  CHECK(most_cycles(limit("0.1 s"), 3) == 300);
  CHECK(most_cycles(limit("0.000000001 s"), 1'000'000) == 1);
  CHECK(most_cycles(limit("0.999 ns"), 1'000'000) == 0);  // a cycle takes longer
  CHECK(most_cycles(limit("1 ns"), 1'999'999) == 1);
  CHECK(most_cycles(limit("9223372036854775807 cycles"), 1) == INT64_MAX);
  CHECK(most_cycles(limit("9223372036 s"), 1'000'000) == 9'223'372'036'000'000'000);
  CHECK(most_cycles(limit("9223372037 s"), 1'000'000) == std::nullopt);
  CHECK(most_cycles(limit("9223372036854775807 s"), 2'000'000) == std::nullopt);
}

TEST_CASE("texts that are no times are refused") {
  for (const char* text : {"",
                           " ",
                           "us",
                           "5 us ",
                           " 5 us",
                           "5  us",
                           "+5 us",
                           "-5 us",
                           "1e3 us",
                           "0x10 us",
                           "1,5 us",
                           "5. us",
                           ".5 us",
                           "1.2.3 us",
                           "5 US",
                           "5 m",
                           "5 min",
                           "nan us",
                           "inf us",
                           "1_000 us",
                           "9223372036854775808 us",
                           "1.0000000001 us"}) {
    INFO(text);
    CHECK(message(text) == "'" + std::string(text) + "' is no time");
  }
  CHECK(message("12000") == "'12000' has no unit");
  CHECK(message("0 us") == "no kernel ends within '0 us'");
  CHECK(message("0.000 s") == "no kernel ends within '0.000 s'");
  CHECK(message("1.5 cycles") == "'1.5 cycles' is no whole number of cycles");
}

TEST_CASE("the limit of a number of cycles is the least one that it keeps") {
  using Unit = TimeLimit::Unit;
  const auto text = [](int64_t cycles, int64_t khz, Unit unit, const char* name) {
    return limit_of(cycles, khz, unit, name).value().text;
  };
  CHECK(text(12'000, 1'410'000, Unit::cycles, "cycles") == "12000 cycles");
  CHECK(text(1'410, 1'410'000, Unit::microseconds, "us") == "1 us");
  CHECK(text(1'411, 1'410'000, Unit::microseconds, "us") == "1.001 us");
  CHECK(text(1'411, 1'410'000, Unit::nanoseconds, "ns") == "1001 ns");
  CHECK(text(1'411, 1'410'000, Unit::milliseconds, "ms") == "0.001001 ms");
  CHECK(text(1'410'000'000, 1'410'000, Unit::seconds, "s") == "1 s");
  CHECK(limit_of(INT64_MAX, 1, Unit::nanoseconds, "ns") == std::nullopt);
  uint64_t state = 1;
  for (int i = 0; i < 2'000; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const auto cycles = static_cast<int64_t>(state >> (20 + state % 40)) + 1;
    const auto khz = static_cast<int64_t>(state % 3'000'000) + 1;
    for (const auto& [unit, name, step] : {std::tuple(Unit::nanoseconds, "ns", "1 ns"),
                                           {Unit::microseconds, "us", "0.001 us"},
                                           {Unit::milliseconds, "ms", "0.000001 ms"},
                                           {Unit::seconds, "s", "0.000000001 s"}}) {
      const auto least = limit_of(cycles, khz, unit, name);
      if (!least) continue;
      INFO(cycles << " at " << khz << ": " << least->text);
      CHECK(most_cycles(*least, khz).value_or(INT64_MAX) >= cycles);
      // A nanosecond less is too little.
      TimeLimit less = *least;
      const int64_t scale = power_of_ten(limit(step).amount.decimals - less.amount.decimals);
      less.amount = {less.amount.digits * scale - 1, limit(step).amount.decimals};
      CHECK(most_cycles(less, khz).value() < cycles);
    }
  }
}

TEST_CASE("times are whole picoseconds, or none") {
  const auto of = [](const std::string& text) {
    const auto time = parse_time(text);
    REQUIRE(time);
    return whole_picoseconds(*time);
  };
  CHECK(of("0 us") == 0);
  CHECK(of("1.5 ms") == 1'500'000'000);
  CHECK(of("0.001 ns") == 1);
  CHECK(of("1.250 ns") == 1250);
  CHECK(of("0.0005 ns") == std::nullopt);
  CHECK(of("9223372 s") == 9'223'372'000'000'000'000);
  CHECK(of("9223373 s") == std::nullopt);
  CHECK(of("3 cycles") == std::nullopt);
}
