// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/numbers/time_limit.hpp"

#include <array>
#include <string_view>

namespace warpspan::app {

namespace {

using support::Result;
using support::WideInteger;
using Unit = TimeLimit::Unit;

struct UnitName {
  std::string_view name;
  Unit unit;
};

constexpr std::array<UnitName, 8> unit_names = {{{"cycles", Unit::cycles},
                                                 {"cycle", Unit::cycles},
                                                 {"ns", Unit::nanoseconds},
                                                 {"us", Unit::microseconds},
                                                 {"\u00b5s", Unit::microseconds},  // the micro sign
                                                 {"\u03bcs", Unit::microseconds},  // the Greek letter
                                                 {"ms", Unit::milliseconds},
                                                 {"s", Unit::seconds}}};

// A unit is so many powers of ten of a nanosecond.
int exponent_of(Unit unit) {
  switch (unit) {
    case Unit::cycles:
    case Unit::nanoseconds: return 0;
    case Unit::microseconds: return 3;
    case Unit::milliseconds: return 6;
    case Unit::seconds: return 9;
  }
  return 0;
}

constexpr int64_t picoseconds_of_nanosecond = 1000;
constexpr int64_t cycles_scale = 1'000'000;  // kHz times ns of one cycle

support::Diagnostic no_limit(const std::string& message) {
  return support::usage_error(message,
                              "write a number and its unit: \"12000 cycles\", \"1.5 ms\", \"80 us\" or \"500 ns\"");
}

// The number of nanoseconds in the unit, without zeros at its end.
std::string decimal_text(int64_t nanoseconds, Unit unit) {
  const int64_t scale = power_of_ten(exponent_of(unit));
  std::string text = std::to_string(nanoseconds / scale);
  if (nanoseconds % scale == 0) return text;
  std::string fraction = std::to_string(nanoseconds % scale);
  fraction.insert(0, static_cast<size_t>(exponent_of(unit)) - fraction.size(), '0');
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return text + "." + fraction;
}

}  // namespace

Result<TimeLimit> parse_time(const std::string& text) {
  const size_t end = text.find_first_not_of("0123456789.");
  const auto amount = parse_decimal(std::string_view(text).substr(0, end));
  std::string_view rest = end == std::string::npos ? "" : std::string_view(text).substr(end);
  if (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  if (amount && rest.empty()) return no_limit("'" + text + "' has no unit");
  const UnitName* named = nullptr;
  for (const UnitName& known : unit_names) {
    if (known.name == rest) named = &known;
  }
  if (!amount || named == nullptr) return no_limit("'" + text + "' is no time");
  if (named->unit == Unit::cycles && amount->decimals > 0)
    return no_limit("'" + text + "' is no whole number of cycles");
  return TimeLimit{text, *amount, named->unit, std::string(rest)};
}

Result<TimeLimit> parse_time_limit(const std::string& text) {
  auto limit = parse_time(text);
  if (limit && limit->amount.digits == 0) return no_limit("no kernel ends within '" + text + "'");
  return limit;
}

std::optional<int64_t> whole_picoseconds(const TimeLimit& time) {
  if (time.unit == Unit::cycles) return std::nullopt;
  const WideInteger scale = WideInteger(power_of_ten(exponent_of(time.unit))) * picoseconds_of_nanosecond;
  const support::Int128 divisor = power_of_ten(time.amount.decimals);
  const auto down = floor_share(time.amount.digits, scale, divisor);
  return down == ceil_share(time.amount.digits, scale, divisor) ? down : std::nullopt;
}

std::optional<int64_t> nanoseconds_at_most(const TimeLimit& time) {
  if (time.unit == Unit::cycles) return std::nullopt;
  return ceil_share(time.amount.digits, power_of_ten(exponent_of(time.unit)),
                    support::Int128{power_of_ten(time.amount.decimals)});
}

std::optional<int64_t> most_cycles(const TimeLimit& limit, int64_t clock_khz) {
  if (limit.unit == Unit::cycles) return limit.amount.digits;
  const WideInteger scale = WideInteger(power_of_ten(exponent_of(limit.unit))) * clock_khz;
  const support::Int128 divisor = support::Int128{power_of_ten(limit.amount.decimals)} * cycles_scale;
  return floor_share(limit.amount.digits, scale, divisor);
}

std::optional<TimeLimit> limit_of(int64_t cycles, int64_t clock_khz, Unit unit, const std::string& unit_text) {
  const auto amount = unit == Unit::cycles ? std::optional(cycles) : ceil_share(cycles, cycles_scale, clock_khz);
  if (!amount) return std::nullopt;
  auto limit = parse_time_limit(decimal_text(*amount, unit) + " " + unit_text);
  return limit ? std::optional(std::move(*limit)) : std::nullopt;
}

}  // namespace warpspan::app
