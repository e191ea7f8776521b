// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/bracket.hpp"

#include <fmt/format.h>

#include "app/reports/readable.hpp"

namespace warpspan::app {

namespace {

std::string gap_text(const Bracket& bracket) {
  const int64_t per_cent = (gap(bracket).value_or(0) + 50) / 100;
  return per_cent == 0 ? "gap below 1 %" : fmt::format("gap {} %", per_cent);
}

}  // namespace

std::optional<int64_t> gap(const Bracket& bracket) {
  if (!bracket.lower || !bracket.upper || *bracket.upper < 1) return std::nullopt;
  __extension__ using Wide = __int128;
  const Wide difference = Wide{*bracket.upper} - *bracket.lower;
  return static_cast<int64_t>((difference * 10'000 + *bracket.upper / 2) / *bracket.upper);
}

std::string bracket_text(const Bracket& bracket, const std::string& what) {
  const auto& [lower, upper] = bracket;
  if (lower && lower == upper) return fmt::format("{} = {} (exact)", what, counted(*upper, "cycle"));
  if (lower && upper) {
    return fmt::format("{} <= {} <= {} ({})", thousands(*lower), what, counted(*upper, "cycle"), gap_text(bracket));
  }
  if (upper) return fmt::format("{} <= {}", what, counted(*upper, "cycle"));
  if (lower) return fmt::format("{} >= {}, no safe upper bound", what, counted(*lower, "cycle"));
  return fmt::format("{} unknown: no safe bound was found", what);
}

}  // namespace warpspan::app
