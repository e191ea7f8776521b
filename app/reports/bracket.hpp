// SPDX-License-Identifier: GPL-3.0-or-later
// Between which values a worst case lies, in words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace warpspan::app {

// lower <= worst case <= upper, in cycles, either of them only if known.
struct Bracket {
  std::optional<int64_t> lower, upper;
};

// (upper - lower) / upper in hundredths of a per cent, rounded; nothing unless both are known.
std::optional<int64_t> gap(const Bracket& bracket);

// "worst case = 9 cycles (exact)", "8 <= worst case <= 12 cycles (gap 33 %)", or what can be said without one of the
// ends, about `what`.
std::string bracket_text(const Bracket& bracket, const std::string& what);

}  // namespace warpspan::app
