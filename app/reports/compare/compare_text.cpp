// SPDX-License-Identifier: GPL-3.0-or-later
// The report of compare for people: what was compared, then for each kernel its figures on every side, and against the
// base what changed them. Kernels in which nothing changed, and those that not every side has, are listed at the end.
#include <fmt/format.h>

#include <algorithm>

#include "app/reports/compare/compare_formats.hpp"
#include "app/reports/compare/compare_rows.hpp"
#include "support/printable.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

constexpr size_t most_parts = 5, most_lines = 5;
constexpr size_t figures_width = 50;  // about, of what stands before the text of a line

std::vector<Row> printable(std::vector<Row> rows, size_t width) {
  for (Row& row : rows) {
    for (std::string& cell : row) cell = shorten(support::printable(cell), width);
  }
  return rows;
}

std::string sides_text(const CompareReport& report) {
  const std::vector<std::string> columns = column_names(report.sides.size());
  std::vector<Row> rows;
  for (size_t i = 0; i < columns.size(); ++i) rows.push_back({columns[i], support::printable(report.sides[i])});
  return table({Align::left, Align::left}, rows, 0);
}

std::string figures_text(const ComparedKernel& kernel) {
  const size_t sides = kernel.sides.size();
  std::vector<Row> rows = printable(figure_rows(kernel), 40);
  Row heading{""};
  for (const std::string& name : column_names(sides)) heading.push_back(name);
  if (sides == 2) heading.emplace_back("change");
  rows.insert(rows.begin(), heading);
  std::vector<Align> alignments(sides + 3, Align::right);
  alignments.front() = Align::left;
  return table(alignments, rows, 2);
}

// What the columns and rows of figures are, once.
std::string legend(const CompareReport& report, size_t width) {
  const std::string change =
      report.sides.size() == 2 ? "change: after less before, and in % of before" : "changes: in % of (1), the base";
  return wrap("  ", change + "; L, C, S: memory, arithmetic and special-function instructions of a warp", width);
}

std::string section(const std::string& heading, const std::vector<Align>& alignments, const std::vector<Row>& rows,
                    size_t width) {
  return rows.empty() ? std::string() : "\n  " + heading + "\n" + table(alignments, printable(rows, width), 4);
}

std::string changes_text(const CompareReport& report, const ComparedKernel& kernel, size_t side, size_t width) {
  std::string out;
  const std::string against = kernel.sides.size() > 2 ? fmt::format(" ({}) against (1)", side + 1) : std::string();
  const auto remarks = remarks_on(report, kernel, side);
  const KernelChanges& changes = *kernel.changes[side];
  constexpr Align left = Align::left, right = Align::right;
  const size_t of_line = std::max(width, figures_width + 20) - figures_width;
  const char* what = changes.words.empty() ? "lines" : "instructions";
  out += section("what the bound is made of" + against + ": before, after, change", {left, right, right, right},
                 part_rows(changes, most_parts), width);
  const std::vector<Align> columns = {right, right, right, left, left};
  out += section(fmt::format("{} that gained most{}: change, before, after", what, against), columns,
                 line_rows(changes, true, most_lines), of_line);
  out += section(fmt::format("{} that lost most{}: change, before, after", what, against), columns,
                 line_rows(changes, false, most_lines), of_line);
  if (!remarks.empty()) out += "\n";
  for (const std::string& remark : remarks) out += wrap("  - ", support::printable(remark), width);
  return out;
}

std::string kernel_text(const CompareReport& report, const ComparedKernel& kernel, bool is_first,
                        const TextStyle& style) {
  std::string out =
      bold("kernel " + support::printable(title_of(report, kernel)), style.colour) + "\n" + figures_text(kernel);
  if (is_first) out += legend(report, style.width);
  for (size_t side = 1; side < kernel.sides.size(); ++side) {
    if (kernel.changes[side]) out += changes_text(report, kernel, side, style.width);
  }
  return out;
}

// Kernels that some side lacks and that cannot be compared with the base.
std::string only_text(const CompareReport& report) {
  const std::vector<std::string> columns = column_names(report.sides.size());
  std::string out;
  for (const ComparedKernel& kernel : report.kernels) {
    if (kernel.is_everywhere()) continue;
    std::string where;
    for (size_t i = 0; i < kernel.sides.size(); ++i) {
      if (kernel.sides[i]) where += (where.empty() ? "" : ", ") + columns[i];
    }
    out += fmt::format("  {} ({}): only in {}\n", support::printable(support::short_name(kernel.any().name)),
                       support::printable(kernel.any().file), where);
  }
  return out.empty() ? out : "\nkernels that not every side has\n" + out;
}

std::string unchanged_text(const CompareReport& report) {
  std::string out;
  for (const ComparedKernel& kernel : report.kernels) {
    if (!kernel.is_everywhere() || has_change(report, kernel)) continue;
    out +=
        fmt::format("  {}: {}\n", support::printable(title_of(report, kernel)), counted(kernel.any().bound, "cycle"));
  }
  return out.empty() ? out : "\nkernels without a change\n" + out;
}

bool is_compared(const ComparedKernel& kernel) {
  const auto has = [](const auto& changes) { return changes.has_value(); };
  return std::any_of(kernel.changes.begin(), kernel.changes.end(), has);
}

}  // namespace

std::string to_text(const CompareReport& report, const TextStyle& style) {
  std::string out;
  for (const ComparedKernel& kernel : report.kernels) {
    if (is_compared(kernel) && (has_change(report, kernel) || !kernel.is_everywhere()))
      out += "\n" + kernel_text(report, kernel, out.empty(), style);
  }
  out += unchanged_text(report) + only_text(report);
  return out.empty() ? out : sides_text(report) + out;
}

}  // namespace warpspan::app
