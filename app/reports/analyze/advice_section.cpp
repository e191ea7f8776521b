#include "app/reports/analyze/advice_section.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "app/reports/readable.hpp"
#include "support/checked.hpp"
#include "support/printable.hpp"

namespace warpspan::app {

namespace {

// "x 0.40": rounded up, as bounds are.
std::string factor(std::optional<int64_t> before, std::optional<int64_t> after) {
  if (!before || !after || *before <= 0) return "";
  const auto hundredths = static_cast<int64_t>((support::Int128{*after} * 100 + *before - 1) / *before);
  return fmt::format("x {}.{:02}", hundredths / 100, hundredths % 100);
}

std::string place(const PlacedAdvice& one, const KernelReport& kernel) {
  if (one.line == 0) return "launch";
  const std::string file = one.source_line > 0 ? one.source_file : kernel.file;
  const std::string name = std::filesystem::path(file).filename().string();
  return support::printable(name) + ":" + std::to_string(one.source_line > 0 ? one.source_line : one.line);
}

}  // namespace

std::string advice_table(const KernelReport& kernel, size_t width) {
  if (kernel.advice.empty()) return {};
  const solver::Bound* bound = headline_bound(kernel.analysis);
  const bool has_usual = kernel.analysis.usual.has_value();
  std::vector<Row> rows = {{"bound", "usual", "advice", ""}};
  for (const PlacedAdvice& one : kernel.advice) {
    rows.push_back({factor(bound->makespan, one.advice.makespan), factor(kernel.analysis.usual, one.advice.usual),
                    place(one, kernel), support::printable(one.advice.what)});
  }
  std::vector<Align> alignments = {Align::right, Align::right, Align::left, Align::left};
  if (!has_usual) {
    for (Row& row : rows) row.erase(row.begin() + 1);
    alignments.erase(alignments.begin() + 1);
  }
  return table(alignments, rows, 4, width);
}

Json advice_to_json(const KernelReport& kernel) {
  Json json = Json::array();
  for (const PlacedAdvice& one : kernel.advice) {
    json.push_back({{"kind", timing::to_string(one.advice.kind)},
                    {"what", one.advice.what},
                    {"line", one.line},
                    {"source_file", one.source_file},
                    {"source_line", one.source_line},
                    {"cycles", or_null(one.advice.makespan)},
                    {"usual_cycles", or_null(one.advice.usual)}});
  }
  return json;
}

}  // namespace warpspan::app
