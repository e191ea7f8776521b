// SPDX-License-Identifier: GPL-3.0-or-later
// The report of 'warpspan solve' for people.
#include <fmt/format.h>

#include <algorithm>

#include "app/reports/analyze/report_sections.hpp"
#include "app/reports/bracket.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/solve/schedule_text.hpp"
#include "app/reports/solve/solve_formats.hpp"

namespace warpspan::app {

namespace {

using solver::Method;

constexpr size_t longest_string = 200;  // characters of an instruction string; the JSON has all
constexpr int64_t most_cells = 40'000;  // of a schedule that is drawn
constexpr size_t most_estimates = 20;   // rows

std::string bold(const std::string& text, bool colour) { return colour ? "\033[1m" + text + "\033[0m" : text; }

std::string field(const char* name, const std::string& value) { return fmt::format("  {:<15}{}\n", name, value); }

std::string problem_section(const Problem& problem) {
  const std::string given = ir::to_string(problem.string);
  const std::string transformed = ir::to_string(problem.transformed.string);
  std::string out = field("string", shorten(given, longest_string));
  if (transformed != given) out += field("for the units", shorten(transformed, longest_string));
  std::string sigma;
  for (size_t k = 0; k < problem.sigma.size(); ++k) {
    sigma += fmt::format("{}{} {}", k == 0 ? "" : ", ", ir::symbol(static_cast<ir::UnitClass>(k)),
                         support::to_string(problem.sigma[k]));
  }
  return out + field("sigma", sigma + " warps per cycle");
}

std::string headline(const solver::Solution& solution, const std::string& what) {
  return bracket_text({solution.lower, solution.upper}, what);
}

std::string policies_line(const solver::Solution& solution) {
  std::string text;
  for (const solver::PolicyRun& run : solution.policies) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", to_string(run.policy), thousands(run.makespan));
  }
  return text;
}

std::string search_line(const solver::Solution& solution) {
  const solver::SearchStatistics& search = solution.search;
  std::string text = counted(search.states, "state");
  const solver::Bound* exact = result_of(solution, Method::exact);
  const double seconds = exact == nullptr ? 0 : exact->seconds;
  if (seconds > 0)
    text += fmt::format(", {} states/s", thousands(static_cast<int64_t>(static_cast<double>(search.states) / seconds)));
  return text;
}

std::string fields_of(const solver::Solution& solution, size_t width) {
  std::string out;
  if (solution.line) out += field("for any warps", line_text(*solution.line));
  if (!solution.policies.empty()) out += wrap(fmt::format("  {:<15}", "policies"), policies_line(solution), width);
  if (solution.search.states > 0) out += field("search", search_line(solution));
  return out;
}

std::string schedule_section(const SolveReport& report, const solver::Solution& solution) {
  if (!report.problem.schedule) return {};
  if (!solution.schedule) return "\n  no schedule to draw: none was found, or it is too long\n";
  std::string out = "\n  longest schedule found";
  if (solution.schedule_by) out += fmt::format(" (by {})", to_string(*solution.schedule_by));
  const auto classes = schedule_classes(report, solution, most_cells);
  if (!classes) return out + ": too large to draw; the JSON report has it\n";
  return out + "\n" + draw(*solution.schedule, *classes);
}

std::string assumption_section(const std::vector<const solver::Solution*>& solutions, size_t width) {
  std::vector<timing::ModelBound> bounds;
  for (const solver::Solution* solution : solutions) {
    for (const solver::Bound& bound : solution->results) {
      const auto same = [&](const timing::ModelBound& known) {
        return known.bound.method == bound.method && known.bound.assumptions == bound.assumptions;
      };
      if (bound.makespan && std::none_of(bounds.begin(), bounds.end(), same)) bounds.push_back({"", bound});
    }
  }
  return bounds.empty() ? "" : "\n  assumptions\n" + assumptions(bounds, width);
}

std::string one_problem(const SolveReport& report, const TextStyle& style) {
  const auto& [warps, solution] = report.solved.front();
  std::string out = bold("problem", style.colour) + "\n" + problem_section(report.problem);
  out += field("warps", thousands(warps));
  out += "\n  " + bold(headline(solution, "worst-case makespan"), style.colour) + "\n\n";
  out += bound_table(solution.results, true, style.width);
  const std::string more = fields_of(solution, style.width);
  if (!more.empty()) out += "\n" + more;
  out += schedule_section(report, solution);
  return out + assumption_section({&solution}, style.width);
}

// --- Several numbers of warps.

std::string optional_cell(const std::optional<int64_t>& value) { return value ? thousands(*value) : "-"; }

// A value that is no answer is shown with what it is: "<= 14".
std::string method_cell(const solver::Solution& solution, Method method) {
  const solver::Bound* bound = result_of(solution, method);
  if (bound == nullptr || !bound->makespan) return "-";
  const bool cut_short = bound->status != solver::Status::optimal;
  return (!cut_short ? "" : bound->kind == solver::Kind::upper ? "<= " : ">= ") + thousands(*bound->makespan);
}

// The methods with a column of their own: those that found something for some number of warps. The witness is the lower
// bound.
std::vector<Method> columns(const SolveReport& report) {
  std::vector<Method> all;
  for (const Method method : report.problem.methods) {
    if (method == Method::witness || method == Method::exact) continue;
    const auto has_value = [=](const SolvedProblem& solved) {
      const solver::Bound* bound = result_of(solved.solution, method);
      return bound != nullptr && bound->makespan;
    };
    if (std::any_of(report.solved.begin(), report.solved.end(), has_value)) all.push_back(method);
  }
  return all;
}

std::string sweep_table(const SolveReport& report) {
  const std::vector<Method> methods = columns(report);
  std::vector<Row> rows = {{"warps", "lower", "upper", "exact"}};
  for (const Method method : methods) rows.front().emplace_back(to_string(method));
  for (const auto& [warps, solution] : report.solved) {
    Row row = {thousands(warps), optional_cell(solution.lower), optional_cell(solution.upper),
               optional_cell(exact_value(solution))};
    for (const Method method : methods) row.push_back(method_cell(solution, method));
    rows.push_back(std::move(row));
  }
  return table(std::vector<Align>(rows.front().size(), Align::right), rows, 4);
}

// Methods that are not in the table although they were asked for, and why.
std::string missing_methods(const SolveReport& report, size_t width) {
  const std::vector<Method> shown = columns(report);
  std::string out;
  for (const Method method : report.problem.methods) {
    if (method == Method::witness || method == Method::exact) continue;
    if (std::find(shown.begin(), shown.end(), method) != shown.end()) continue;
    const solver::Bound* bound = result_of(report.solved.front().solution, method);
    if (bound != nullptr) out += wrap(fmt::format("    {}: ", bound->method), bound->remark, width);
  }
  return out;
}

std::string target_section(const SolveReport& report) {
  if (!report.problem.target) return {};
  const auto& [target, solution] = target_of(report);
  std::string out = "\n  " + headline(solution, fmt::format("T({})", target)) + "\n";
  std::vector<Row> rows = {{"x", "T(x)", fmt::format("ceil({}/x) * T(x)", target), "smallest so far"}};
  const auto all = estimates(report, target);
  const size_t first = all.size() - std::min(all.size(), most_estimates);
  for (size_t i = first; i < all.size(); ++i) {
    rows.push_back({thousands(all[i].warps), thousands(all[i].exact), optional_cell(all[i].estimate),
                    optional_cell(all[i].smallest)});
  }
  if (rows.size() == 1) return out;
  if (first > 0)
    out += fmt::format("    the last {} of {} estimates; the JSON report has all\n", rows.size() - 1, all.size());
  out += table(std::vector<Align>(4, Align::right), rows, 4);
  return out + "    The published approximation is the last of the smallest; it is not safe.\n";
}

std::string sweep(const SolveReport& report, const TextStyle& style) {
  std::string out = bold("problem", style.colour) + "\n" + problem_section(report.problem) + "\n";
  out += sweep_table(report) + missing_methods(report, style.width);
  const auto& line = report.solved.back().solution.line;
  if (line) out += "\n" + field("for any warps", line_text(*line));
  out += target_section(report);
  std::vector<const solver::Solution*> solutions;
  for (const SolvedProblem& solved : report.solved) solutions.push_back(&solved.solution);
  return out + assumption_section(solutions, style.width);
}

}  // namespace

std::string to_text(const SolveReport& report, const TextStyle& style) {
  return is_sweep(report) ? sweep(report, style) : one_problem(report, style);
}

}  // namespace warpspan::app
