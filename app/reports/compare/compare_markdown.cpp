// SPDX-License-Identifier: GPL-3.0-or-later
// The report of compare for pages that show Markdown, such as those of pull requests: a table of all kernels, and what
// changed in each under a fold. Text from outside stands as markdown.hpp makes it.
#include <algorithm>

#include "app/reports/compare/compare_formats.hpp"
#include "app/reports/compare/compare_rows.hpp"
#include "app/reports/markdown.hpp"

namespace warpspan::app {

namespace {

constexpr size_t most_parts = 5, most_lines = 10;

std::string row_text(const Row& row, size_t cells) {
  std::string out = "|";
  for (size_t i = 0; i < cells; ++i) out += " " + (i < row.size() ? markdown(row[i]) : std::string()) + " |";
  return out + "\n";
}

std::string table_text(const Row& heading, const std::vector<Row>& rows) {
  if (rows.empty()) return {};
  std::string out = row_text(heading, heading.size()) + "|";
  for (size_t i = 0; i < heading.size(); ++i) out += " --- |";
  out += "\n";
  for (const Row& row : rows) out += row_text(row, heading.size());
  return out + "\n";
}

Row figure_heading(size_t sides) {
  Row heading{""};
  for (const std::string& name : column_names(sides)) heading.push_back(name);
  if (sides == 2) heading.insert(heading.end(), {"change", "%"});
  return heading;
}

std::string summary(const CompareReport& report) {
  std::vector<Row> rows;
  for (const ComparedKernel& kernel : report.kernels) {
    Row row = figure_rows(kernel).front();
    row.front() = title_of(report, kernel);
    rows.push_back(std::move(row));
  }
  Row heading = figure_heading(report.sides.size());
  heading.front() = "worst-case bound, cycles";
  std::vector<Row> expected;
  for (const ComparedKernel& kernel : report.kernels) {
    const std::vector<Row> figures = figure_rows(kernel);
    const auto row = std::find_if(figures.begin(), figures.end(), [](const Row& one) { return is_expected(one); });
    if (row == figures.end()) continue;
    expected.push_back(*row);
    expected.back().front() = title_of(report, kernel);
  }
  std::string text = table_text(heading, rows);
  heading.front() = "expected, cycles (an estimate)";
  return text + table_text(heading, expected);
}

std::string changes_text(const CompareReport& report, const ComparedKernel& kernel, size_t side) {
  const KernelChanges& changes = *kernel.changes[side];
  std::string out;
  if (kernel.sides.size() > 2) out += "Against (1), (" + std::to_string(side + 1) + "):\n\n";
  out += table_text({"what the bound is made of", "before", "after", "change"}, part_rows(changes, most_parts));
  const char* what = changes.words.empty() ? "line" : "instruction";
  for (const bool gained : {true, false}) {
    out +=
        table_text({gained ? "gained" : "lost", "before", "after", what, ""}, line_rows(changes, gained, most_lines));
  }
  const std::vector<std::string> remarks = remarks_on(report, kernel, side);
  for (const std::string& remark : remarks) out += "- " + markdown(remark) + "\n";
  return remarks.empty() ? out : out + "\n";
}

std::string kernel_text(const CompareReport& report, const ComparedKernel& kernel) {
  std::string out = "<details><summary>" + markdown(title_of(report, kernel)) + "</summary>\n\n";
  out += table_text(figure_heading(kernel.sides.size()), figure_rows(kernel));
  for (size_t side = 1; side < kernel.sides.size(); ++side) {
    if (kernel.changes[side]) out += changes_text(report, kernel, side);
  }
  return out + "</details>\n\n";
}

std::string errors_text(const support::Diagnostics& errors) {
  std::string out;
  for (const support::Diagnostic& error : errors) {
    const std::string& file = error.location.file;
    out += "- " + markdown((file.empty() ? "" : file + ": ") + error.message) + "\n";
  }
  return out.empty() ? out : "**Not compared:**\n\n" + out + "\n";
}

}  // namespace

std::string to_markdown(const CompareReport& report, const TextStyle&) {
  std::string out = "### Worst-case bounds\n\n";
  const std::vector<std::string> columns = column_names(report.sides.size());
  for (size_t i = 0; i < columns.size(); ++i) out += "- " + columns[i] + ": " + markdown(report.sides[i]) + "\n";
  out += "\n";
  if (report.regression) out += "**Regression: some bound rose by more than " + markdown(report.allowed) + ".**\n\n";
  out += errors_text(report.errors) + summary(report);
  for (const ComparedKernel& kernel : report.kernels) {
    if (has_change(report, kernel)) out += kernel_text(report, kernel);
  }
  return out;
}

}  // namespace warpspan::app
