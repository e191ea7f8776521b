// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/analyze/ladder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/reports/readable.hpp"
#include "support/printable.hpp"

namespace warpspan::app {

namespace {

constexpr const char* arrow = "-> ";
constexpr const char* no_arrow = "   ";

// One unit for all rungs, so that their times can be compared at a glance.
struct TimeUnit {
  const char* name;
  int64_t in_second;
};
constexpr TimeUnit time_units[] = {{"s", 1}, {"ms", 1000}, {"us", 1'000'000}};

// Thousandths of the unit, rounded up; nothing if that exceeds 2^63-1.
std::optional<int64_t> thousandths(int64_t cycles, int64_t clock_khz, const TimeUnit& unit) {
  __extension__ using Wide = __int128;
  const Wide time = (Wide{cycles} * unit.in_second + clock_khz - 1) / clock_khz;
  return time <= INT64_MAX ? std::optional(static_cast<int64_t>(time)) : std::nullopt;
}

// The largest unit in which the shortest time has a tenth at least, and the longest is a number.
TimeUnit unit_for(const KernelReport& kernel) {
  std::vector<int64_t> cycles = {headline_bound(kernel.analysis)->makespan.value()};
  for (const timing::Rung& rung : kernel.analysis.ladder) {
    if (rung.makespan) cycles.push_back(*rung.makespan);
  }
  const auto [least, most] = std::minmax_element(cycles.begin(), cycles.end());
  TimeUnit best = time_units[0];
  for (const TimeUnit& unit : time_units) {
    if (!thousandths(*most, kernel.machine.clock_khz, unit)) break;
    best = unit;
    if (*thousandths(*least, kernel.machine.clock_khz, unit) >= 100) break;
  }
  return best;
}

// Name and time.
Row row_of(std::string name, std::optional<int64_t> makespan, const KernelReport& kernel, const TimeUnit& unit) {
  const auto time = makespan ? thousandths(*makespan, kernel.machine.clock_khz, unit) : std::nullopt;
  if (!time) return {std::move(name), "-"};
  return {std::move(name), fmt::format("{}.{:03} {}", thousands(*time / 1000), *time % 1000, unit.name)};
}

std::string label_of(const timing::Rung& rung) {
  return rung.assumption ? "+ " + std::string(timing::name_of(*rung.assumption)) : "nothing";
}

std::vector<Row> rows_of(const KernelReport& kernel, const TimeUnit& unit) {
  std::vector<Row> rows = {{"--assume", "time", "gain", ""}};
  std::optional<int64_t> before;
  for (const timing::Rung& rung : kernel.analysis.ladder) {
    Row row = row_of(label_of(rung), rung.makespan, kernel, unit);
    const bool has_gain = before && rung.makespan && *before > 0 && *rung.makespan > 0;
    row.push_back(has_gain ? times_less(*before, *rung.makespan) : "");
    row.push_back(support::printable(rung.what));
    rows.push_back(std::move(row));
    before = rung.makespan;
  }
  return rows;
}

// What the last line takes, and what is usual.
std::string ladder_remark(const KernelReport& kernel) {
  const std::vector<timing::Rung>& ladder = kernel.analysis.ladder;
  const std::vector<std::string>& usual = kernel.machine.usual;
  return "each with those above it; the last line takes --assume " +
         joined(names_up_to(ladder, ladder.size() - 1), ",") + "; usual on " + support::printable(kernel.machine.name) +
         (usual.empty() ? ": nothing, as no run of it backs any" : ": " + joined(usual, ","));
}

}  // namespace

std::string times_less(int64_t before, int64_t makespan) {
  __extension__ using Wide = __int128;
  const auto times = [&](int64_t parts) {  // in parts of 1, rounded
    return static_cast<int64_t>(std::min<Wide>((Wide{before} * parts + makespan / 2) / makespan, INT64_MAX));
  };
  if (times(100) < 110) return fmt::format("{}.{:02}x", times(100) / 100, times(100) % 100);
  return times(10) < 100 ? fmt::format("{}.{}x", times(10) / 10, times(10) % 10) : thousands(times(1)) + "x";
}

std::vector<std::string> names_of(const timing::AssumptionSet& assumed) {
  std::vector<std::string> names;
  for (const std::string_view name : timing::assumption_names()) {
    if (assumed.has(*timing::assumption_named(name))) names.emplace_back(name);
  }
  return names;
}

std::vector<std::string> names_up_to(const std::vector<timing::Rung>& ladder, size_t rung) {
  std::vector<timing::Assumption> needed;
  for (size_t i = 0; i <= rung; ++i) {
    if (ladder[i].assumption) needed.push_back(*ladder[i].assumption);
  }
  for (size_t i = 0; i < needed.size();) {
    timing::AssumptionSet others;
    for (size_t k = 0; k < needed.size(); ++k) {
      if (k != i) others.assume(needed[k]);
    }
    if (others.has(needed[i])) {
      needed.erase(needed.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  std::vector<std::string> names;
  for (const timing::Assumption assumption : needed) names.emplace_back(timing::name_of(assumption));
  return names;
}

std::optional<size_t> headline_rung(const timing::Analysis& analysis) {
  const solver::Bound* headline = headline_bound(analysis);
  if (headline == nullptr) return std::nullopt;
  const auto is_it = [headline](const timing::Rung& rung) { return rung.makespan == headline->makespan; };
  const auto found = std::find_if(analysis.ladder.begin(), analysis.ladder.end(), is_it);
  if (found == analysis.ladder.end()) return std::nullopt;
  return static_cast<size_t>(found - analysis.ladder.begin());
}

std::string ladder_table(const KernelReport& kernel, const TextStyle& style) {
  const std::vector<timing::Rung>& ladder = kernel.analysis.ladder;
  const solver::Bound* headline = headline_bound(kernel.analysis);
  if (ladder.size() < 2 || headline == nullptr) return {};
  const TimeUnit unit = unit_for(kernel);
  std::vector<Row> rows = rows_of(kernel, unit);
  auto marked = headline_rung(kernel.analysis);
  const bool is_rung = marked.has_value();
  if (!is_rung) {  // it stands between rungs
    const auto is_above = [headline](const timing::Rung& rung) {
      return !rung.makespan || *rung.makespan > *headline->makespan;
    };
    marked = static_cast<size_t>(std::count_if(ladder.begin(), ladder.end(), is_above));
  }
  if (!is_rung) {
    rows.insert(rows.begin() + 1 + static_cast<std::ptrdiff_t>(*marked),
                row_of("as granted", headline->makespan, kernel, unit));
  }
  for (size_t i = 0; i < rows.size(); ++i) rows[i].front().insert(0, i == *marked + 1 ? arrow : no_arrow);
  return table({Align::left, Align::right, Align::right, Align::left}, rows, 1, style.width) +
         wrap("    ", ladder_remark(kernel), style.width);
}

}  // namespace warpspan::app
