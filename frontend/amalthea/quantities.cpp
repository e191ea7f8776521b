// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/amalthea/quantities.hpp"

#include <array>

#include "support/checked.hpp"
#include "support/digits.hpp"

namespace warpspan::amalthea {

namespace {

using support::Integer;
using support::WideInteger;

struct Unit {
  std::string_view name;
  int exponent = 0;   // of 10
  int doublings = 0;  // of 2
};

constexpr std::array<Unit, 5> times = {{{"s", 12}, {"ms", 9}, {"us", 6}, {"ns", 3}, {"ps", 0}}};

constexpr std::array<Unit, 18> sizes_in_bits = {{{"bit"},
                                                 {"kbit", 3},
                                                 {"Mbit", 6},
                                                 {"Gbit", 9},
                                                 {"Tbit", 12},
                                                 {"kibit", 0, 10},
                                                 {"Mibit", 0, 20},
                                                 {"Gibit", 0, 30},
                                                 {"Tibit", 0, 40},
                                                 {"byte", 0, 3},
                                                 {"kB", 3, 3},
                                                 {"MB", 6, 3},
                                                 {"GB", 9, 3},
                                                 {"TB", 12, 3},
                                                 {"KiB", 0, 13},
                                                 {"MiB", 0, 23},
                                                 {"GiB", 0, 33},
                                                 {"TiB", 0, 43}}};

constexpr std::array<Unit, 5> frequencies = {{{"Hz", 0}, {"kHz", 3}, {"KHz", 3}, {"MHz", 6}, {"GHz", 9}}};

template <size_t N>
const Unit* unit_of(const std::array<Unit, N>& units, std::string_view name) {
  for (const Unit& unit : units) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

std::string written(const Element& element) {
  const std::string_view value = text_of(element, "value");
  const std::string_view unit = text_of(element, "unit");
  return std::string(value.empty() ? "no value" : value) + " " + std::string(unit.empty() ? "without unit" : unit);
}

WideInteger power_of_ten(int exponent) {
  WideInteger power = 1;
  for (int i = 0; i < exponent && !power.overflowed(); ++i) power *= 10;
  return power;
}

std::optional<int64_t> narrow(WideInteger wide) {
  const auto value = wide.value();
  if (!value || *value < 0 || *value > INT64_MAX) return std::nullopt;
  return static_cast<int64_t>(*value);
}

// a / b for b > 0, rounded up.
WideInteger ceiling(WideInteger a, WideInteger b) {
  const auto above = a.value();
  const auto below = b.value();
  if (!above || !below) return a * b;  // overflowed, too
  const support::Int128 quotient = *above / *below + (*above % *below > 0 ? 1 : 0);
  if (quotient > INT64_MAX) return power_of_ten(60);
  return static_cast<int64_t>(quotient);
}

}  // namespace

Amount time_of(const Element& element) {
  Amount time{{}, written(element), element.at};
  const Unit* unit = unit_of(times, text_of(element, "unit"));
  const auto value = support::parse_digits<int64_t>(text_of(element, "value"));
  if (unit != nullptr && value) time.value = narrow(WideInteger(*value) * power_of_ten(unit->exponent));
  return time;
}

Amount size_of(const Element& element) {
  Amount size{{}, written(element), element.at};
  const Unit* unit = unit_of(sizes_in_bits, text_of(element, "unit"));
  const auto value = support::parse_digits<int64_t>(text_of(element, "value"));
  if (unit == nullptr || !value) return size;
  const WideInteger bits =
      WideInteger(*value) * power_of_ten(unit->exponent) * WideInteger(int64_t{1} << unit->doublings);
  size.value = narrow(ceiling(bits, 8));
  return size;
}

DecimalAmount frequency_of(const Element& element) {
  DecimalAmount frequency{decimal_of(text_of(element, "value")), written(element), element.at};
  const Unit* unit = unit_of(frequencies, text_of(element, "unit"));
  if (unit == nullptr) frequency.value.reset();
  if (frequency.value) frequency.value->exponent += unit->exponent;
  return frequency;
}

std::optional<int64_t> picoseconds_of(std::string_view text) {
  const size_t end = text.find_first_not_of("0123456789.");
  if (end == std::string_view::npos) return std::nullopt;
  const auto value = decimal_of(text.substr(0, end));
  text.remove_prefix(end);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const Unit* unit = unit_of(times, text);
  if (!value || unit == nullptr) return std::nullopt;
  const int exponent = value->exponent + unit->exponent;
  if (exponent < 0) return std::nullopt;
  return narrow(WideInteger(value->digits) * power_of_ten(exponent));
}

std::optional<Decimal> decimal_of(std::string_view text) {
  Decimal result;
  const size_t mark = text.find_first_of("eE");
  if (mark != std::string_view::npos) {
    std::string_view exponent = text.substr(mark + 1);
    const bool negative = exponent.starts_with('-');
    if (negative || exponent.starts_with('+')) exponent.remove_prefix(1);
    const auto value = support::parse_digits<int>(exponent);
    if (!value || *value > 30) return std::nullopt;
    result.exponent = negative ? -*value : *value;
    text = text.substr(0, mark);
  }
  const size_t point = text.find('.');
  std::string digits(text.substr(0, point));
  if (point != std::string_view::npos) {
    std::string_view decimals = text.substr(point + 1);
    while (decimals.ends_with('0') && decimals.size() > 1) decimals.remove_suffix(1);
    if (decimals == "0")
      decimals = {};
    else if (decimals.empty() || decimals.size() > 18)
      return std::nullopt;
    digits += decimals;
    result.exponent -= static_cast<int>(decimals.size());
  }
  if (point == 0 || digits.size() > 18) return std::nullopt;
  const auto value = support::parse_digits<int64_t>(digits);
  if (!value || *value == 0) return std::nullopt;
  result.digits = *value;
  while (result.digits % 10 == 0) {
    result.digits /= 10;
    ++result.exponent;
  }
  return result;
}

std::optional<int64_t> time_of_ticks(int64_t ticks, const Decimal& hertz, const Decimal& per_tick) {
  const int exponent = times[0].exponent - hertz.exponent - per_tick.exponent;
  WideInteger above = ticks;
  WideInteger below = WideInteger(hertz.digits) * WideInteger(per_tick.digits);
  (exponent >= 0 ? above : below) *= power_of_ten(exponent >= 0 ? exponent : -exponent);
  return narrow(ceiling(above, below));
}

}  // namespace warpspan::amalthea
