// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/numbers/decimal.hpp"

#include <charconv>
#include <limits>
#include <string>

namespace warpspan::app {

namespace {

std::optional<int64_t> narrow(support::Int128 value) {
  if (value > std::numeric_limits<int64_t>::max()) return std::nullopt;
  return static_cast<int64_t>(value);
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::optional<Decimal> parse_decimal(std::string_view text) {
  const size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction = point == std::string_view::npos ? "" : text.substr(point + 1);
  if (!is_digits(whole) || (point != std::string_view::npos && !is_digits(fraction))) return std::nullopt;
  if (fraction.size() > Decimal::most_decimals) return std::nullopt;
  const std::string digits = std::string(whole) + std::string(fraction);
  Decimal result;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result.digits);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  result.decimals = static_cast<int>(fraction.size());
  return result;
}

int64_t power_of_ten(int exponent) {
  int64_t power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

std::optional<int64_t> floor_share(int64_t a, support::WideInteger b, support::Int128 divisor) {
  const auto product = (support::WideInteger(a) * b).value();
  return product ? narrow(*product / divisor) : std::nullopt;
}

std::optional<int64_t> ceil_share(int64_t a, support::WideInteger b, support::Int128 divisor) {
  const auto product = (support::WideInteger(a) * b).value();
  return product ? narrow(*product / divisor + (*product % divisor > 0 ? 1 : 0)) : std::nullopt;
}

}  // namespace warpspan::app
