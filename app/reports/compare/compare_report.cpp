// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/compare/compare_report.hpp"

#include <algorithm>
#include <cstdint>

#include "app/reports/readable.hpp"
#include "support/checked.hpp"

namespace warpspan::app {

namespace {

bool has_figures(const std::optional<KernelFigures>& side) { return side.has_value(); }

// round(1000 * part / whole), halves up; nothing beyond 64 bits. part at least 0, whole at least 1. Of numbers with
// more than 15 digits the first ones count: no difference is seen.
std::optional<int64_t> tenths_of_percent(int64_t part, int64_t whole) {
  constexpr int64_t most = INT64_MAX / 1000;
  while (whole > most) {
    part /= 10;
    whole /= 10;
  }
  const int64_t scaled = part % whole * 1000;
  const int64_t remainder = scaled % whole;
  const int64_t rest = scaled / whole + (remainder >= whole - remainder ? 1 : 0);
  return (support::Integer(part / whole) * 1000 + rest).value();
}

}  // namespace

std::string_view to_string(MatchedBy how) {
  switch (how) {
    case MatchedBy::name: return "name";
    case MatchedBy::demangled_name: return "demangled-name";
    case MatchedBy::short_name: return "short-name";
    case MatchedBy::similarity: return "similarity";
  }
  return "name";
}

const KernelFigures& ComparedKernel::any() const { return **std::find_if(sides.begin(), sides.end(), has_figures); }

bool ComparedKernel::has_expected_change(size_t side) const {
  if (!changes[side] || !changes[side]->not_comparable.empty()) return false;
  const auto& before = sides.front()->expected;
  const auto& after = sides[side]->expected;
  return before && after && before->method == after->method;
}

bool ComparedKernel::is_everywhere() const { return std::all_of(sides.begin(), sides.end(), has_figures); }

std::string percent_change(int64_t before, int64_t after) {
  if (before == after) return "0 %";
  if (before == 0) return "new";
  const auto tenths = tenths_of_percent(after > before ? after - before : before - after, before);
  if (!tenths) return "> +10^15 %";
  return (after > before ? "+" : "-") + percent(*tenths);
}

}  // namespace warpspan::app
