// SPDX-License-Identifier: GPL-3.0-or-later
// The report of reproduce for people: each source with its parts; a table of figures, the reasons of those that differ,
// schedules, what is left out; at the end how many agree.
#include <fmt/format.h>

#include <algorithm>

#include "app/reports/readable.hpp"
#include "app/reports/reproduce/reproduce_formats.hpp"

namespace warpspan::app {

namespace {

std::string part_text(const ReproducedPart& part, const TextStyle& style) {
  std::string out = "\n" + part.title + "\n";
  std::vector<Row> rows = {{"in the source", "", "printed", "ours", ""}};
  std::vector<std::string> reasons;  // each once
  for (const ReproducedFigure& figure : part.figures) {
    std::string verdict(to_string(agreement_of(figure)));
    if (!figure.reason.empty()) {
      const auto known = std::find(reasons.begin(), reasons.end(), figure.reason);
      verdict += fmt::format(" {})", known - reasons.begin() + 1);
      if (known == reasons.end()) reasons.push_back(figure.reason);
    }
    rows.push_back({figure.place, figure.what, figure.printed.empty() ? "-" : figure.printed, figure.ours, verdict});
  }
  using enum Align;
  if (rows.size() > 1) out += table({left, left, right, right, left}, rows, 2);
  for (size_t i = 0; i < reasons.size(); ++i) out += wrap(fmt::format("  {}) ", i + 1), reasons[i], style.width);
  for (const Drawing& drawing : part.drawings) out += wrap("  ", drawing.caption + ":", style.width) + drawing.text;
  for (const std::string& sentence : part.left_out) out += wrap("  left out: ", sentence, style.width);
  return out;
}

}  // namespace

std::string to_text(const ReproduceReport& report, const TextStyle& style) {
  std::string out;
  for (const ReproducedSource& source : report.sources) {
    out += wrap(source.name + ": ", source.citation, style.width);
    for (const ReproducedPart& part : source.parts) out += part_text(part, style);
    out += "\n";
  }
  return report.sources.empty() ? out : out + wrap("", summary(report), style.width);
}

}  // namespace warpspan::app
