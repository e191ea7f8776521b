// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/solve/solve_report.hpp"

#include <algorithm>

#include "solver/strings/schedules/string.hpp"
#include "support/checked.hpp"
#include "timing/strings/solver_string.hpp"

namespace warpspan::app {

namespace {

using support::Rational;

// "4W", "W", "7W/2"; slope is not 0.
std::string in_warps(const Rational& slope) {
  std::string text = slope.numerator == 1 ? "W" : slope.numerator == -1 ? "-W" : std::to_string(slope.numerator) + "W";
  if (slope.denominator != 1) text += "/" + std::to_string(slope.denominator);
  return text;
}

}  // namespace

const solver::Bound* result_of(const solver::Solution& solution, solver::Method method) {
  const auto found = std::find_if(solution.results.begin(), solution.results.end(),
                                  [=](const solver::Bound& bound) { return bound.method == to_string(method); });
  return found == solution.results.end() ? nullptr : &*found;
}

std::optional<int64_t> exact_value(const solver::Solution& solution) {
  return solution.lower == solution.upper ? solution.upper : std::nullopt;
}

double exact_seconds(const solver::Solution& solution) {
  double seconds = 0;
  for (const solver::Method method : {solver::Method::witness, solver::Method::certificate, solver::Method::exact}) {
    if (const solver::Bound* bound = result_of(solution, method)) seconds += bound->seconds;
  }
  return seconds;
}

std::string line_text(const solver::Line& line) {
  const Rational& intercept = line.intercept;
  std::string value = line.slope.numerator == 0 ? "" : in_warps(line.slope);
  if (value.empty()) {
    value = support::to_string(intercept);
  } else if (intercept.numerator != 0) {
    const Rational magnitude = {intercept.numerator < 0 ? -intercept.numerator : intercept.numerator,
                                intercept.denominator};
    value += (intercept.numerator < 0 ? " - " : " + ") + support::to_string(magnitude);
  }
  const int64_t least = line.least_workers;
  const int64_t most = line.most_workers;
  std::string range = "every W >= " + std::to_string(least);
  if (most == least) {
    range = "W = " + std::to_string(least);
  } else if (most < std::numeric_limits<int64_t>::max()) {
    range = std::to_string(least) + " <= W <= " + std::to_string(most);
  }
  return "T(W) <= " + value + " for " + range;
}

std::optional<std::string> schedule_classes(const SolveReport& report, const solver::Solution& solution,
                                            int64_t most_cells) {
  if (!solution.schedule) return std::nullopt;
  const auto& rows = solution.schedule->cycles;
  const int64_t length = rows.empty() ? 0 : std::ssize(rows.front());
  const auto cells = support::Integer(std::ssize(rows)) * support::Integer(solution.lower.value_or(0));
  if (length == 0 || cells.value().value_or(INT64_MAX) > most_cells) return std::nullopt;
  const auto symbols = solver::expand(timing::to_solver_string(report.problem.transformed.string), length);
  if (!symbols) return std::nullopt;
  std::string classes;
  for (const int symbol : *symbols) classes += ir::symbol(static_cast<ir::UnitClass>(symbol));
  return classes;
}

std::vector<Estimate> estimates(const SolveReport& report, int64_t target) {
  std::vector<Estimate> all;
  std::optional<int64_t> smallest;
  for (const SolvedProblem& solved : report.solved) {
    const auto exact = exact_value(solved.solution);
    if (!exact || solved.warps > target) continue;
    Estimate point{solved.warps, *exact, exact_seconds(solved.solution), {}, {}};
    point.estimate = (ceil_divide(support::Integer(target), solved.warps) * support::Integer(*exact)).value();
    if (point.estimate) smallest = std::min(smallest.value_or(*point.estimate), *point.estimate);
    point.smallest = smallest;
    all.push_back(point);
  }
  return all;
}

const SolvedProblem& target_of(const SolveReport& report) {
  if (report.target) return *report.target;
  for (const SolvedProblem& solved : report.solved) {
    if (solved.warps == report.problem.target) return solved;
  }
  return report.solved.back();
}

}  // namespace warpspan::app
