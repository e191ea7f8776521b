// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep as a picture of two charts: (a) makespan against the number of warps, a line for each method; (b) as figures
// 6 and 7 of Berezovskyi et al. (2012), what the exact values of few warps make of the makespan of many, beside the
// bounds of it, and how long the exact values took. (b) is for the report's target, or else for its most warps.
#include <fmt/format.h>

#include <algorithm>

#include "app/reports/readable.hpp"
#include "app/reports/solve/plot.hpp"
#include "app/reports/solve/solve_formats.hpp"

namespace warpspan::app {

namespace {

using solver::Method;

constexpr size_t longest_string = 40;   // characters of an instruction string in a title
constexpr double least_seconds = 1e-6;  // that a logarithmic axis shows

PlotPoint point(int64_t warps, const std::optional<int64_t>& cycles) {
  return {static_cast<double>(warps), cycles ? std::optional(static_cast<double>(*cycles)) : std::nullopt};
}

bool has_points(const Series& series) {
  return std::any_of(series.points.begin(), series.points.end(), [](const PlotPoint& p) { return p.y.has_value(); });
}

std::string problem_title(const SolveReport& report) {
  std::string text = shorten(ir::to_string(report.problem.string), longest_string);
  for (size_t k = 0; k < report.problem.sigma.size(); ++k) {
    text +=
        fmt::format(", {} {}", ir::symbol(static_cast<ir::UnitClass>(k)), support::to_string(report.problem.sigma[k]));
  }
  return text;
}

// Every method keeps its colour, whichever others there are.
int colour_of(Method method) { return static_cast<int>(method.index()); }

// Lines often run on top of each other: broken and thin ones lie above broad ones, so that all can be seen.
struct LineStyle {
  int layer;
  Series::Stroke stroke;
  double width;
};
LineStyle style_of(Method method) {
  using enum Series::Stroke;
  if (method == Method::list || method == Method::exact) return {0, solid, 6};
  if (method == Method::witness) return {3, dotted, 3};
  for (const Method dashed_one : {Method::certificate, Method::published, Method::tractable, Method::raravi}) {
    if (method == dashed_one) return {2, dashed, 3};
  }
  return {1, solid, 2};
}

Panel methods_panel(const SolveReport& report) {
  Panel panel;
  panel.title = "(a) Worst-case makespan of " + problem_title(report);
  panel.x_label = "warps";
  panel.y_label = "cycles";
  std::vector<Method> methods = report.problem.methods;
  std::stable_sort(methods.begin(), methods.end(),
                   [](Method a, Method b) { return style_of(a).layer < style_of(b).layer; });
  for (const Method method : methods) {
    Series series;
    series.name = to_string(method);
    series.colour = colour_of(method);
    series.stroke = style_of(method).stroke;
    series.width = style_of(method).width;
    for (const auto& [warps, solution] : report.solved) {
      const solver::Bound* bound = result_of(solution, method);
      const bool is_answer = bound != nullptr && bound->status == solver::Status::optimal;
      series.points.push_back(point(warps, is_answer ? bound->makespan : std::nullopt));
    }
    if (has_points(series)) panel.series.push_back(std::move(series));
  }
  return panel;
}

// A level across the whole chart.
void add_level(Panel& panel, std::string name, const std::optional<int64_t>& cycles, const SolveReport& report,
               Method method) {
  if (!cycles) return;
  Series series;
  series.name = std::move(name);
  series.colour = method == Method::exact ? colour_of(Method::ilp) : colour_of(method);
  series.stroke = style_of(method).stroke;
  series.width = style_of(method).width;
  series.markers = false;
  series.points = {point(report.solved.front().warps, cycles), point(report.solved.back().warps, cycles)};
  panel.series.push_back(std::move(series));
}

std::optional<int64_t> value_of(const solver::Solution& solution, Method method) {
  const solver::Bound* bound = result_of(solution, method);
  return bound == nullptr || bound->status != solver::Status::optimal ? std::nullopt : bound->makespan;
}

Panel estimates_panel(const SolveReport& report) {
  const auto& [target, solution] = target_of(report);
  const std::string n = thousands(target);
  Panel panel;
  panel.title = "(b) T(" + n + ") estimated from T(x), not safe, and its bounds";
  panel.x_label = "x warps";
  panel.y_label = "cycles";
  panel.right_label = "time to find T(x)";
  panel.from_zero = false;

  Series each, smallest, seconds;
  each.name = "ceil(" + n + "/x) * T(x)";
  each.colour = colour_of(Method::exact);
  each.width = 5;
  smallest.name = "smallest so far";
  smallest.colour = colour_of(Method::tractable);
  smallest.markers = false;
  seconds.name = "time for T(x)";
  seconds.colour = colour_of(Method::raravi);
  seconds.stroke = Series::Stroke::dotted;
  seconds.right = true;
  for (const Estimate& estimate : estimates(report, target)) {
    each.points.push_back(point(estimate.warps, estimate.estimate));
    smallest.points.push_back(point(estimate.warps, estimate.smallest));
    if (estimate.seconds > 0) {
      seconds.points.push_back({static_cast<double>(estimate.warps), std::max(least_seconds, estimate.seconds)});
    }
  }
  for (Series* series : {&each, &smallest, &seconds}) {
    if (has_points(*series)) panel.series.push_back(std::move(*series));
  }
  add_level(panel, "exact", exact_value(solution), report, Method::exact);
  add_level(panel, "published bound", value_of(solution, Method::published), report, Method::published);
  add_level(panel, "certificate", value_of(solution, Method::certificate), report, Method::certificate);
  return panel;
}

}  // namespace

std::string to_svg(const SolveReport& report, const TextStyle&) {
  return svg_of({methods_panel(report), estimates_panel(report)});
}

}  // namespace warpspan::app
