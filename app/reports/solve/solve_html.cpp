// SPDX-License-Identifier: GPL-3.0-or-later
// The report of 'warpspan solve' as a page: the bounds of one problem, or a sweep as a picture and a table.
#include <fmt/format.h>

#include <algorithm>

#include "app/reports/analyze/report_sections.hpp"
#include "app/reports/bracket.hpp"
#include "app/reports/html/charts.hpp"
#include "app/reports/html/page.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/solve/solve_formats.hpp"
#include "app/reports/xml.hpp"

namespace warpspan::app {

namespace {

using solver::Method;

constexpr size_t longest_string = 2000;
constexpr int64_t most_cells = 2400;  // of a schedule that is drawn
// Of the classes: dark enough for white letters.
constexpr const char* schedule_colours[ir::unit_classes] = {"#1f66b0", "#a65200", "#20753f"};

std::string cell(const std::optional<int64_t>& value) {
  return value ? number_cell(thousands(*value), *value) : number_cell("-", -1);
}

std::string problem_list(const Problem& problem) {
  const std::string given = ir::to_string(problem.string);
  const std::string transformed = ir::to_string(problem.transformed.string);
  std::vector<std::pair<std::string, std::string>> entries = {{"string", html_text(shorten(given, longest_string))}};
  if (transformed != given) entries.emplace_back("for the units", html_text(shorten(transformed, longest_string)));
  std::string sigma;
  for (size_t k = 0; k < problem.sigma.size(); ++k) {
    sigma += fmt::format("{}{} {}", k == 0 ? "" : ", ", ir::symbol(static_cast<ir::UnitClass>(k)),
                         support::to_string(problem.sigma[k]));
  }
  entries.emplace_back("sigma", sigma + " warps per cycle");
  return description_list(entries);
}

std::string results_table(const solver::Solution& solution) {
  std::string rows;
  for (const solver::Bound& bound : solution.results) {
    const bool has_value = bound.makespan.has_value();
    rows += "<tr>" + row_head(bound.method) + cell(bound.makespan) +
            html_cell(std::string(has_value ? to_string(bound.kind) : to_string(bound.status))) +
            html_cell(!has_value   ? "-"
                      : bound.safe ? "yes"
                                   : "no",
                      !has_value   ? ""
                      : bound.safe ? "good"
                                   : "unsure") +
            number_cell(fmt::format("{:.3f}", bound.seconds), static_cast<int64_t>(bound.seconds * 1e6)) +
            html_cell(html_text(bound.remark), "words") + "</tr>\n";
  }
  return html_table(
      "",
      table_head({{"", "method"}, {"number", "cycles"}, {"", "kind"}, {"", "safe"}, {"number", "seconds"}, {"", ""}}),
      rows);
}

std::string sweep_table(const SolveReport& report) {
  std::vector<HeadCell> head = {{"number", "warps"}, {"number", "lower"}, {"number", "upper"}, {"number", "exact"}};
  for (const Method method : report.problem.methods) head.emplace_back("number", std::string(to_string(method)));
  std::string rows;
  for (const auto& [warps, solution] : report.solved) {
    rows += "<tr>" + cell(warps) + cell(solution.lower) + cell(solution.upper) + cell(exact_value(solution));
    for (const Method method : report.problem.methods) {
      const solver::Bound* bound = result_of(solution, method);
      const bool is_answer = bound != nullptr && bound->status == solver::Status::optimal;
      rows += cell(is_answer ? bound->makespan : std::nullopt);
    }
    rows += "</tr>\n";
  }
  return html_table("Makespans in cycles.", table_head(head), rows);
}

// Warps as rows, cycles as columns; a cell has the colour of its class, and the symbol's number in the string.
std::string schedule_picture(const solver::Schedule& schedule, const std::string& classes) {
  constexpr int64_t cell_width = 26, cell_height = 20, label_width = 70;  // pixels
  int64_t makespan = 0;
  for (const auto& cycles : schedule.cycles) makespan = std::max(makespan, cycles.back());
  const int64_t rows = std::ssize(schedule.cycles);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"schedule\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" role=\"img\">\n<title>the longest schedule found</title>\n",
      label_width + makespan * cell_width, (rows + 1) * cell_height);
  for (int64_t warp = 0; warp < rows; ++warp) {
    const int64_t y = warp * cell_height;
    out += fmt::format("<text x=\"0\" y=\"{}\">warp {}</text>\n", y + 14, warp + 1);
    const std::vector<int64_t>& cycles = schedule.cycles[static_cast<size_t>(warp)];
    for (size_t symbol = 0; symbol < cycles.size(); ++symbol) {
      const int64_t x = label_width + (cycles[symbol] - 1) * cell_width;
      const char letter = classes[symbol];
      out += fmt::format(
          "<rect class=\"class{0}\" x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{4}\"><title>{0}{5}, cycle "
          "{6}</title></rect><text class=\"symbol\" x=\"{7}\" y=\"{8}\">{0}{5}</text>\n",
          letter, x + 1, y, cell_width - 2, cell_height - 3, symbol + 1, cycles[symbol], x + cell_width / 2, y + 13);
    }
  }
  const int64_t step = axis_step(makespan, 20);
  for (int64_t cycle = step; cycle <= makespan; cycle += step) {
    out += fmt::format("<text class=\"tick\" x=\"{}\" y=\"{}\">{}</text>\n",
                       label_width + cycle * cell_width - cell_width / 2, rows * cell_height + 14, cycle);
  }
  return out + "</svg>\n";
}

std::string schedule_style() {
  std::string out =
      ".schedule text { fill: var(--ink); font-size: 12px }\n"
      ".schedule .symbol, .schedule .tick { text-anchor: middle; font-size: 11px }\n"
      ".schedule .symbol { fill: #fff } .schedule .tick { fill: var(--soft) }\n";
  for (size_t k = 0; k < ir::unit_classes; ++k) {
    out += fmt::format(".class{} {{ fill: {} }}\n", ir::symbol(static_cast<ir::UnitClass>(k)), schedule_colours[k]);
  }
  return out;
}

std::string schedule_section(const SolveReport& report, const solver::Solution& solution) {
  if (!solution.schedule) return {};
  std::string heading = "Longest schedule found";
  if (solution.schedule_by) heading += fmt::format(", by {}", to_string(*solution.schedule_by));
  const auto classes = schedule_classes(report, solution, most_cells);
  if (!classes) return folded(heading, "<p>It is too large to draw; the JSON report has it with --schedule.</p>\n");
  return folded(heading, scrolled(schedule_picture(*solution.schedule, *classes)));
}

std::string assumption_list(const SolveReport& report) {
  std::vector<std::string> known;
  for (const SolvedProblem& solved : report.solved) {
    for (const solver::Bound& bound : solved.solution.results) {
      if (!bound.makespan) continue;
      for (const std::string& one : bound.assumptions) {
        if (std::find(known.begin(), known.end(), one) == known.end()) known.push_back(one);
      }
    }
  }
  std::string items;
  for (const std::string& one : known) items += "<li>" + html_text(one) + "</li>\n";
  return items.empty() ? items : folded("Assumptions", "<ul>\n" + items + "</ul>\n");
}

}  // namespace

std::string to_html(const SolveReport& report, const TextStyle& style) {
  if (report.solved.empty()) return {};
  std::string body = "<main>\n<h1>Worst-case makespan of an instruction string</h1>\n" + problem_list(report.problem) +
                     diagnostics_list(report.errors);
  const auto& [warps, solution] = report.solved.back();
  const std::string what =
      is_sweep(report) ? fmt::format("T({})", thousands(warps)) : "worst-case makespan of " + counted(warps, "warp");
  body += verdict_line("", html_text(bracket_text({solution.lower, solution.upper}, what)));
  if (solution.line) body += "<p>For any number of warps: " + html_text(line_text(*solution.line)) + "</p>\n";
  if (is_sweep(report)) {
    body += scrolled(to_svg(report, style)) + folded("Values", sweep_table(report));
  } else {
    body += folded("Bounds", results_table(solution)) + schedule_section(report, solution);
  }
  return html_page("warpspan solve", schedule_style(),
                   body + assumption_list(report) + "</main>\n" + run_section(report.run), "docs/pages.md");
}

}  // namespace warpspan::app
