#include "app/reports/analyze/ladder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/reports/readable.hpp"
#include "support/printable.hpp"

namespace warpspan::app {

namespace {

constexpr const char* arrow = "-> ";
constexpr const char* no_arrow = "   ";

// "1.3", "12": how many times less it is. Both at least 1.
std::string times_less(int64_t before, int64_t makespan) {
  __extension__ using Wide = __int128;
  const auto tenths = static_cast<int64_t>((Wide{before} * 10 + makespan / 2) / makespan);
  return tenths < 100 ? fmt::format("{}.{}", tenths / 10, tenths % 10) : thousands((tenths + 5) / 10);
}

// Name, cycles and time.
Row row_of(std::string name, std::optional<int64_t> makespan, const KernelReport& kernel) {
  if (!makespan) return {std::move(name), "-", "-"};
  return {std::move(name), thousands(*makespan), duration(*makespan, kernel.machine.clock_khz)};
}

std::string label_of(const timing::Rung& rung) {
  return rung.assumption ? "+ " + name_of(*rung.assumption) : "nothing";
}

std::vector<Row> rows_of(const KernelReport& kernel) {
  std::vector<Row> rows = {{"--assume", "cycles", "time", "times less", ""}};
  std::optional<int64_t> before;
  for (const timing::Rung& rung : kernel.analysis.ladder) {
    Row row = row_of(label_of(rung), rung.makespan, kernel);
    const bool has_factor = before && rung.makespan && *before > 0 && *rung.makespan > 0;
    row.push_back(has_factor ? times_less(*before, *rung.makespan) : "");
    row.push_back(support::printable(rung.what));
    rows.push_back(std::move(row));
    before = rung.makespan;
  }
  return rows;
}

}  // namespace

std::string name_of(timing::Assumption assumption) {
  return std::string(timing::assumption_names()[static_cast<size_t>(assumption)]);
}

std::vector<std::string> names_of(const timing::AssumptionSet& granted) {
  std::vector<std::string> names;
  for (const std::string_view name : timing::assumption_names()) {
    if (granted.has(*timing::assumption_named(name))) names.emplace_back(name);
  }
  return names;
}

std::vector<std::string> names_up_to(const std::vector<timing::Rung>& ladder, size_t rung) {
  std::vector<std::string> names;
  for (size_t i = 0; i <= rung; ++i) {
    if (ladder[i].assumption) names.push_back(name_of(*ladder[i].assumption));
  }
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
  std::vector<Row> rows = rows_of(kernel);
  auto marked = headline_rung(kernel.analysis);
  if (!marked) {  // it stands between rungs
    const auto is_above = [headline](const timing::Rung& rung) {
      return !rung.makespan || *rung.makespan > *headline->makespan;
    };
    marked = static_cast<size_t>(std::count_if(ladder.begin(), ladder.end(), is_above));
    rows.insert(rows.begin() + 1 + static_cast<std::ptrdiff_t>(*marked),
                row_of("as granted", headline->makespan, kernel));
  }
  for (size_t i = 0; i < rows.size(); ++i) rows[i].front().insert(0, i == *marked + 1 ? arrow : no_arrow);
  return table({Align::left, Align::right, Align::right, Align::right, Align::left}, rows, 1, style.width) +
         wrap("    ",
              "each with those above it; the last line takes --assume " +
                  joined(names_up_to(ladder, ladder.size() - 1), ","),
              style.width);
}

}  // namespace warpspan::app
