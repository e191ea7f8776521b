// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/compare/line_changes_html.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/reports/html/page.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/xml.hpp"
#include "support/checked.hpp"

namespace warpspan::app {

namespace {

constexpr size_t most_lines = 200;

// A bar to the right for what rose, to the left for what fell.
std::string change_bar(int64_t change, int64_t largest) {
  constexpr int64_t half = 100;
  const auto size = static_cast<int64_t>(support::Int128{half} * (change < 0 ? -support::Int128{change} : change) /
                                         std::max<int64_t>(largest, 1));
  return html_cell(
      fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"bar\" viewBox=\"0 0 200 12\" "
                  "preserveAspectRatio=\"none\" aria-hidden=\"true\"><path class=\"middle\" d=\"M100 0V12\"/><rect "
                  "class=\"{}\" x=\"{}\" width=\"{}\" height=\"12\"/></svg>",
                  change > 0 ? "rose" : "fell", change > 0 ? half : half - size, size),
      "taken");
}

}  // namespace

std::string line_change_table(const std::string& caption, const std::vector<LineChange>& lines) {
  int64_t largest = 1;
  for (const LineChange& line : lines) {
    largest = std::max({largest, line.change(), line.change() < 0 ? -(line.change() + 1) : 0});
  }
  std::string rows;
  for (size_t i = 0; i < std::min(most_lines, lines.size()); ++i) {
    const LineChange& line = lines[i];
    const std::string file = line.file.substr(line.file.find_last_of('/') + 1);
    const auto number = [](const std::optional<int64_t>& of) { return of ? std::to_string(*of) : std::string("-"); };
    std::string place = "no line";
    if (line.line_before || line.line_after) {
      place = file + ":" + number(line.line_before ? line.line_before : line.line_after);
      if (line.line_before && line.line_after && *line.line_before != *line.line_after) {
        place += " -> " + number(line.line_after);
      } else if (!line.line_before || !line.line_after) {
        place += line.line_before ? " (before)" : " (after)";
      }
    }
    rows += "<tr>" + number_cell((line.change() > 0 ? "+" : "") + thousands(line.change()), line.change()) +
            change_bar(line.change(), largest) + number_cell(thousands(line.before), line.before) +
            number_cell(thousands(line.after), line.after) + row_head(place) +
            html_cell("<code>" + html_text(single_blanks(line.text)) + "</code>", "words") + "</tr>\n";
  }
  if (rows.empty()) return rows;
  return html_table(
      lines.size() > most_lines ? fmt::format("{} The {} that changed most of {}.", caption, most_lines, lines.size())
                                : caption,
      table_head({{"number", "change"}, {"", ""}, {"number", "before"}, {"number", "after"}, {"", "line"}, {"", ""}}),
      rows);
}

}  // namespace warpspan::app
