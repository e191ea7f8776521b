// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/analyze/advice_section.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "app/reports/readable.hpp"
#include "support/checked.hpp"
#include "support/printable.hpp"

namespace warpspan::app {

namespace {

// "0.40": rounded up, as bounds are.
std::string ratio(std::optional<int64_t> before, std::optional<int64_t> after) {
  if (!before || !after || *before <= 0) return "";
  const auto hundredths = static_cast<int64_t>((support::Int128{*after} * 100 + *before - 1) / *before);
  return fmt::format("{}.{:02}", hundredths / 100, hundredths % 100);
}

std::string factor(std::optional<int64_t> before, std::optional<int64_t> after) {
  const std::string times = ratio(before, after);
  return times.empty() ? times : "x " + times;
}

std::string place(const PlacedAdvice& one, const KernelReport& kernel) {
  if (one.line == 0) return "launch";
  const std::string file = one.source_line > 0 ? one.source_file : kernel.file;
  const std::string name = std::filesystem::path(file_within(file)).filename().string();
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

std::string first_advice(const KernelReport& kernel, size_t indent, size_t width) {
  if (kernel.advice.empty()) return {};
  const PlacedAdvice& first = kernel.advice.front();
  std::string text = place(first, kernel) + "  " + support::printable(first.advice.what);
  const std::string of_bound = ratio(headline_bound(kernel.analysis)->makespan, first.advice.makespan);
  const std::string of_usual = ratio(kernel.analysis.usual, first.advice.usual);
  if (!of_bound.empty()) text += ": " + of_bound + " of the bound";
  if (!of_usual.empty()) text += ", " + of_usual + " with what is usual";
  if (kernel.advice.size() > 1) text += fmt::format("; {} more with --explain", kernel.advice.size() - 1);
  return wrap(fmt::format("  {:<{}}", "advice", indent - 2), text, width);
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
