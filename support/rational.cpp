// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/rational.hpp"

#include <charconv>
#include <limits>
#include <numeric>

namespace warpspan::support {

std::optional<Rational> make_rational(int64_t n, int64_t d) {
  constexpr int64_t lowest = std::numeric_limits<int64_t>::min();
  if (d == 0 || n == lowest || d == lowest) return std::nullopt;
  const int64_t divisor = std::gcd(n, d);
  const int64_t sign = d < 0 ? -1 : 1;
  return Rational{sign * n / divisor, sign * d / divisor};
}

namespace {

std::optional<int64_t> parse_integer(std::string_view text) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || text.empty()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Rational> parse_rational(std::string_view text) {
  const size_t slash = text.find('/');
  const auto n = parse_integer(text.substr(0, slash));
  const auto d = slash == std::string_view::npos ? std::optional<int64_t>(1) : parse_integer(text.substr(slash + 1));
  if (!n || !d) return std::nullopt;
  return make_rational(*n, *d);
}

std::string to_string(const Rational& value) {
  std::string text = std::to_string(value.numerator);
  if (value.denominator != 1) text += "/" + std::to_string(value.denominator);
  return text;
}

}  // namespace warpspan::support
