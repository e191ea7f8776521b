// SPDX-License-Identifier: GPL-3.0-or-later
// The report of 'warpspan solve' as a page: the bounds of one problem, or a sweep as a picture and a table.
#include <fmt/format.h>

#include <algorithm>

#include "app/reports/analyze/report_sections.hpp"
#include "app/reports/bracket.hpp"
#include "app/reports/html/page.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/solve/solve_formats.hpp"
#include "app/reports/xml.hpp"

namespace warpspan::app {

namespace {

using solver::Method;

constexpr size_t longest_string = 2000;

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
    body += folded("Bounds", results_table(solution));
  }
  return html_page("warpspan solve", "", body + assumption_list(report) + "</main>\n", "docs/pages.md");
}

}  // namespace warpspan::app
