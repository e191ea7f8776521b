// SPDX-License-Identifier: GPL-3.0-or-later
// Exact fractions, always in lowest terms with a positive denominator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpspan::support {

struct Rational {
  int64_t numerator = 0;
  int64_t denominator = 1;

  friend bool operator==(const Rational&, const Rational&) = default;
};

// n / d in lowest terms; nothing if d is 0 or a sign change overflows.
std::optional<Rational> make_rational(int64_t n, int64_t d);

// Reads "3", "1/2"; nothing for anything else.
std::optional<Rational> parse_rational(std::string_view text);

// "3" or "1/2".
std::string to_string(const Rational& value);

}  // namespace warpspan::support
