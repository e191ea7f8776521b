// SPDX-License-Identifier: GPL-3.0-or-later
// Decimal numbers as users write them, kept exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "support/checked.hpp"

namespace warpspan::app {

// digits / 10^decimals; digits at least 0, decimals in 0..most_decimals.
struct Decimal {
  static constexpr int most_decimals = 9;

  int64_t digits = 0;
  int decimals = 0;
};

// "12", "0.5"; nothing for anything else, such as a sign, an exponent, ".5", "5.", more than nine decimals, or digits
// that exceed 64 bits.
std::optional<Decimal> parse_decimal(std::string_view text);

// 10^exponent, for 0..18.
int64_t power_of_ten(int exponent);

// Floor and ceiling of a * b / divisor, for a and b at least 0 and a divisor at least 1; nothing if the product exceeds
// 127 bits or the result 63.
std::optional<int64_t> floor_share(int64_t a, support::WideInteger b, support::Int128 divisor);
std::optional<int64_t> ceil_share(int64_t a, support::WideInteger b, support::Int128 divisor);

}  // namespace warpspan::app
