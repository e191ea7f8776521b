#include "app/sweep_svg.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/format.hpp"
#include "app/plot.hpp"

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
int colour_of(Method method) { return static_cast<int>(method); }

Panel methods_panel(const SolveReport& report) {
  Panel panel;
  panel.title = "(a) Worst-case makespan of " + problem_title(report);
  panel.x_label = "warps";
  panel.y_label = "cycles";
  for (const Method method : report.problem.methods) {
    Series series;
    series.name = to_string(method);
    series.colour = colour_of(method);
    if (method == Method::published || method == Method::tractable || method == Method::raravi) {
      series.stroke = Series::Stroke::dashed;
    }
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
               int colour, Series::Stroke stroke) {
  if (!cycles) return;
  Series series;
  series.name = std::move(name);
  series.colour = colour;
  series.stroke = stroke;
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
  panel.right_label = "seconds to find T(x)";
  panel.from_zero = false;

  Series each{"ceil(" + n + "/x) * T(x)", {}, colour_of(Method::exact), Series::Stroke::solid, true, false};
  Series smallest{"smallest so far", {}, colour_of(Method::tractable), Series::Stroke::solid, false, false};
  Series seconds{"seconds for T(x)", {}, colour_of(Method::raravi), Series::Stroke::dotted, true, true};
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
  add_level(panel, "published bound", value_of(solution, Method::published), report, colour_of(Method::published),
            Series::Stroke::dashed);
  add_level(panel, "certificate", value_of(solution, Method::certificate), report, colour_of(Method::certificate),
            Series::Stroke::solid);
  add_level(panel, "exact", exact_value(solution), report, colour_of(Method::ilp), Series::Stroke::solid);
  return panel;
}

}  // namespace

std::string to_svg(const SolveReport& report) { return svg_of({methods_panel(report), estimates_panel(report)}); }

}  // namespace warpspan::app
