// SPDX-License-Identifier: GPL-3.0-or-later
// Percentages as users write them, and what they are of whole numbers, exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/requests/numbers/decimal.hpp"
#include "support/result.hpp"

namespace warpspan::app {

struct Percent {
  Decimal amount;    // 2.5
  std::string text;  // as written: "2.5%"
};

// The largest that parse_percent takes.
inline constexpr int64_t most_percent = 1'000'000'000;

// "10%" or "2.5%", from 0 to `most`, which is at most most_percent. Errors: usage, that begin with the option's name.
support::Result<Percent> parse_percent(const std::string& option, const std::string& text, int64_t most = most_percent);

// The cycles and so much more, rounded up; nothing if they exceed 64 bits.
std::optional<int64_t> with_margin(int64_t cycles, const Percent& percent);

// The same, rounded down.
std::optional<int64_t> with_tolerance(int64_t cycles, const Percent& percent);

// Whether a value is less than the limit less so much of it; at most 100 per cent.
bool is_below(int64_t value, int64_t limit, const Percent& percent);

// Whether `after` is more than so much above `before`. Both at least 0.
bool exceeds(int64_t before, int64_t after, const Percent& allowed);

}  // namespace warpspan::app
