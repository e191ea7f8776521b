// SPDX-License-Identifier: GPL-3.0-or-later
// No floating point decides. A percentage is d / (100 * 10^k) of the whole, with d at most 10^18 and 100 * 10^k at most
// 10^11, so that its product with a number of 63 bits has less than 127.
#include "app/requests/numbers/percent.hpp"

#include <string_view>

namespace warpspan::app {

namespace {

using support::Result;
using support::WideInteger;

int64_t whole_of(const Percent& percent) { return 100 * power_of_ten(percent.amount.decimals); }

}  // namespace

Result<Percent> parse_percent(const std::string& option, const std::string& text, int64_t most) {
  const auto wrong = support::usage_error(option + ": expected a percentage from 0% to " + std::to_string(most) +
                                          "%, such as 10% or 2.5%, got '" + text + "'");
  if (text.empty() || text.back() != '%') return wrong;
  const auto amount = parse_decimal(std::string_view(text).substr(0, text.size() - 1));
  if (!amount || amount->digits > most * power_of_ten(amount->decimals)) return wrong;
  return Percent{*amount, text};
}

std::optional<int64_t> with_margin(int64_t cycles, const Percent& percent) {
  return ceil_share(cycles, WideInteger(whole_of(percent)) + percent.amount.digits, whole_of(percent));
}

std::optional<int64_t> with_tolerance(int64_t cycles, const Percent& percent) {
  return floor_share(cycles, WideInteger(whole_of(percent)) + percent.amount.digits, whole_of(percent));
}

// Both sides fit: values of 63 bits, a whole of at most 10^11.
bool is_below(int64_t value, int64_t limit, const Percent& percent) {
  const int64_t whole = whole_of(percent);
  return support::Int128{value} * whole < support::Int128{limit} * (whole - percent.amount.digits);
}

// A whole number exceeds a fraction if it exceeds its floor; one beyond 63 bits is more than any bound rises.
bool exceeds(int64_t before, int64_t after, const Percent& allowed) {
  const auto most = floor_share(before, WideInteger(allowed.amount.digits), whole_of(allowed));
  return after > before && most && after - before > *most;
}

}  // namespace warpspan::app
