// SPDX-License-Identifier: GPL-3.0-or-later
// The report of compare as a page: a table of all kernels, and what changed in each, by part and by line.
#include <fmt/format.h>

#include <algorithm>

#include "app/reports/compare/compare_formats.hpp"
#include "app/reports/compare/compare_rows.hpp"
#include "app/reports/compare/line_changes_html.hpp"
#include "app/reports/html/page.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/xml.hpp"

namespace warpspan::app {

namespace {

constexpr size_t most_parts = 30, most_lines = 200, most_kernels = 100;

// Of cells that are text; the first column heads its row.
std::string plain_row(const Row& row, size_t cells) {
  std::string out = "<tr>" + row_head(row.empty() ? "" : row.front());
  for (size_t i = 1; i < cells; ++i) out += number_cell(i < row.size() ? row[i] : "");
  return out + "</tr>\n";
}

std::vector<HeadCell> figure_head(const std::string& first, size_t sides) {
  std::vector<HeadCell> head = {{"", first}};
  for (const std::string& name : column_names(sides)) head.emplace_back("number", name);
  if (sides == 2) {
    head.emplace_back("number", "change");
    head.emplace_back("number", "%");
  }
  return head;
}

std::string rows_table(const std::string& caption, const std::vector<HeadCell>& head, const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) text += plain_row(row, head.size());
  return rows.empty() ? std::string() : html_table(html_text(caption), table_head(head), text);
}

std::string changes_text(const CompareReport& report, const ComparedKernel& kernel, size_t side) {
  const KernelChanges& changes = *kernel.changes[side];
  std::string out;
  for (const std::string& remark : remarks_on(report, kernel, side)) out += "<li>" + html_text(remark) + "</li>\n";
  if (!out.empty()) out = "<ul>\n" + out + "</ul>\n";
  out += rows_table("What the bound is made of.",
                    {{"", "part"}, {"number", "before"}, {"number", "after"}, {"number", "change"}},
                    part_rows(changes, most_parts));
  out += line_change_table("Cycles of the bound, by line.", changes.lines);
  if (!changes.words.empty()) {
    std::vector<Row> rows;
    for (const ValueChange& word : changes.words) {
      const int64_t before = word.before.value_or(0), after = word.after.value_or(0);
      rows.push_back(
          {word.name, thousands(before), thousands(after), (after > before ? "+" : "") + thousands(after - before)});
      if (rows.size() == most_lines) break;
    }
    out += rows_table("Cycles of the bound, by instruction.",
                      {{"", "instruction"}, {"number", "before"}, {"number", "after"}, {"number", "change"}}, rows);
  }
  if (kernel.sides.size() <= 2) return out;
  return fmt::format("<h3>({}) against (1)</h3>\n", side + 1) + out;
}

std::string kernel_text(const CompareReport& report, const ComparedKernel& kernel, size_t index) {
  std::string body = rows_table("", figure_head("", kernel.sides.size()), figure_rows(kernel));
  for (size_t side = 1; side < kernel.sides.size(); ++side) {
    if (kernel.changes[side]) body += changes_text(report, kernel, side);
  }
  return fmt::format("<details class=\"kernel\" id=\"k{}\"{}><summary><h2>{}</h2></summary>\n{}</details>\n", index + 1,
                     has_change(report, kernel) ? " open=\"\"" : "", html_text(title_of(report, kernel)), body);
}

}  // namespace

std::string to_html(const CompareReport& report, const TextStyle&) {
  if (report.kernels.empty()) return {};
  std::string body = "<main>\n<h1>Bounds compared</h1>\n";
  std::vector<std::pair<std::string, std::string>> sides;
  const std::vector<std::string> columns = column_names(report.sides.size());
  for (size_t i = 0; i < columns.size(); ++i) sides.emplace_back(columns[i], html_text(report.sides[i]));
  body += description_list(sides);
  if (report.regression) {
    body += verdict_line("bad", "Some bound rose by more than " + html_text(report.allowed) + ".");
  } else if (!report.allowed.empty()) {
    body += verdict_line("good", "No bound rose by more than " + html_text(report.allowed) + ".");
  }
  body += diagnostics_list(report.errors);
  const std::vector<HeadCell> head = figure_head("kernel: worst-case bound, cycles", report.sides.size());
  std::string rows, details;
  for (size_t i = 0; i < report.kernels.size(); ++i) {
    const ComparedKernel& kernel = report.kernels[i];
    const Row figures = figure_rows(kernel).front();
    const bool is_shown = i < most_kernels;
    const std::string name = html_text(title_of(report, kernel));
    rows +=
        "<tr><th scope=\"row\">" + (is_shown ? fmt::format("<a href=\"#k{}\">{}</a>", i + 1, name) : name) + "</th>";
    for (size_t cell = 1; cell < head.size(); ++cell) rows += number_cell(cell < figures.size() ? figures[cell] : "");
    rows += "</tr>\n";
    if (is_shown) details += kernel_text(report, kernel, i);
  }
  body += html_table("", table_head(head), rows) + details + "</main>\n" + run_section(report.run);
  return html_page("warpspan compare", line_change_style, body, "docs/pages.md");
}

}  // namespace warpspan::app
