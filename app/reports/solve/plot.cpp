// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/solve/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/reports/palette.hpp"
#include "app/reports/xml.hpp"

namespace warpspan::app {

namespace {

// Sizes in pixels.
constexpr double width = 1000, panel_height = 440;
constexpr double plot_left = 96, plot_right = 680, plot_top = 48, plot_bottom = 376;
constexpr double legend_left = 780, legend_step = 22;
constexpr size_t most_markers = 60;  // of a series
constexpr size_t longest_name = 26;  // of a series, in letters

constexpr const char* style =
    "  <style>\n"
    "    text { font-family: sans-serif; font-size: 13px; fill: #222 }\n"
    "    .title { font-size: 15px; font-weight: bold }\n"
    "    .page { fill: #fff } .axis { stroke: #555 } .grid { stroke: #ddd }\n"
    "    @media screen and (prefers-color-scheme: dark) {\n"
    "      text { fill: #ddd } .page { fill: #15181d } .axis { stroke: #aaa } .grid { stroke: #343a42 }\n"
    "    }\n"
    "  </style>\n";

std::string tick_label(double value) {
  const double magnitude = std::abs(value);
  if (magnitude >= 1e15) return fmt::format("{:.3g}", value);
  if (value == std::round(value)) {
    std::string digits = fmt::format("{:.0f}", magnitude);
    for (size_t i = digits.size(); i > 3;) {
      i -= 3;
      digits.insert(i, ",");
    }
    return (value < 0 ? "-" : "") + digits;
  }
  return fmt::format("{:.4g}", value);
}

// A power of ten in seconds, from microseconds on.
std::string seconds_label(double seconds) {
  if (seconds < 0.9e-3) return fmt::format("{:g} us", std::round(seconds * 1e6));
  if (seconds < 0.9) return fmt::format("{:g} ms", std::round(seconds * 1e3));
  return fmt::format("{:g} s", std::round(seconds));
}

std::string text_at(double x, double y, const char* anchor, const std::string& text, const std::string& more = {}) {
  return fmt::format("  <text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                     xml_content(text));
}

std::string line_at(double x1, double y1, double x2, double y2, const char* kind) {
  return fmt::format("  <line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind, x1, y1,
                     x2, y2);
}

// Maps numbers from low to high to pixels.
class Scale {
 public:
  Scale(double low, double high, double from, double to, bool logarithmic = false)
      : low_(low), high_(high), from_(from), to_(to), logarithmic_(logarithmic) {}

  double operator()(double value) const {
    const double part = logarithmic_ ? (std::log10(value) - std::log10(low_)) / (std::log10(high_) - std::log10(low_))
                                     : (value - low_) / (high_ - low_);
    return from_ + part * (to_ - from_);
  }

 private:
  double low_, high_, from_, to_;
  bool logarithmic_;
};

struct Range {
  double low = 0, high = 1;
  bool empty = true;

  void add(double value) {
    low = empty ? value : std::min(low, value);
    high = empty ? value : std::max(high, value);
    empty = false;
  }
};

Range range_of(const Panel& panel, bool right) {
  Range range;
  for (const Series& series : panel.series) {
    if (series.right != right) continue;
    for (const PlotPoint& point : series.points) {
      if (point.y) range.add(*point.y);
    }
  }
  return range;
}

Range x_range_of(const Panel& panel) {
  Range range;
  for (const Series& series : panel.series) {
    for (const PlotPoint& point : series.points) range.add(point.x);
  }
  if (range.low == range.high) {
    range.low -= 1;
    range.high += 1;
  }
  return range;
}

std::vector<double> powers_of_ten(const Range& range) {
  const int first = static_cast<int>(std::floor(std::log10(range.low)));
  const int last = std::max(first + 1, static_cast<int>(std::ceil(std::log10(range.high))));
  std::vector<double> ticks;
  for (int power = first; power <= last; ++power) ticks.push_back(std::pow(10.0, power));
  return ticks;
}

// One panel, drawn as if it were the first.
class PanelDrawing {
 public:
  explicit PanelDrawing(const Panel& panel)
      : panel_(panel),
        x_range_(x_range_of(panel)),
        x_(x_range_.low, x_range_.high, plot_left, plot_right),
        ticks_(left_ticks(panel)),
        left_(ticks_.front(), ticks_.back(), plot_bottom, plot_top),
        right_ticks_(range_of(panel, true).empty ? std::vector<double>{} : powers_of_ten(range_of(panel, true))),
        right_(right_ticks_.empty() ? 1 : right_ticks_.front(), right_ticks_.empty() ? 10 : right_ticks_.back(),
               plot_bottom, plot_top, true) {}

  std::string run() const {
    std::string out = text_at(plot_left, 24, "start", panel_.title, " class=\"title\"");
    out += axes();
    for (const Series& series : panel_.series) out += curve(series);
    return out + legend();
  }

 private:
  static std::vector<double> left_ticks(const Panel& panel) {
    const Range range = range_of(panel, false);
    return round_ticks(panel.from_zero ? std::min(0.0, range.low) : range.low, range.high);
  }

  std::string axes() const {
    std::string out;
    for (const double tick : ticks_) {
      out += line_at(plot_left, left_(tick), plot_right, left_(tick), "grid");
      out += text_at(plot_left - 8, left_(tick) + 4, "end", tick_label(tick));
    }
    for (const double tick : round_ticks(x_range_.low, x_range_.high)) {
      if (tick < x_range_.low || tick > x_range_.high || tick != std::round(tick)) continue;
      out += line_at(x_(tick), plot_bottom, x_(tick), plot_bottom + 5, "axis");
      out += text_at(x_(tick), plot_bottom + 20, "middle", tick_label(tick));
    }
    for (const double tick : right_ticks_) {
      out += line_at(plot_right, right_(tick), plot_right + 5, right_(tick), "axis");
      out += text_at(plot_right + 8, right_(tick) + 4, "start", seconds_label(tick));
    }
    out += line_at(plot_left, plot_bottom, plot_right, plot_bottom, "axis");
    out += line_at(plot_left, plot_top, plot_left, plot_bottom, "axis");
    out += text_at((plot_left + plot_right) / 2, plot_bottom + 42, "middle", panel_.x_label);
    out += upright(20, panel_.y_label);
    if (right_ticks_.empty()) return out;
    return out + line_at(plot_right, plot_top, plot_right, plot_bottom, "axis") +
           upright(plot_right + 72, panel_.right_label);
  }

  static std::string upright(double x, const std::string& text) {
    const double y = (plot_top + plot_bottom) / 2;
    return text_at(x, y, "middle", text, fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", x, y));
  }

  static std::string stroke(const Series& series) {
    const char* dash = series.stroke == Series::Stroke::dashed   ? " stroke-dasharray=\"8 5\""
                       : series.stroke == Series::Stroke::dotted ? " stroke-dasharray=\"2 4\""
                                                                 : "";
    return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{:.1f}\"{}", colour(series), series.width, dash);
  }

  static const char* colour(const Series& series) {
    return chart_colours[static_cast<size_t>(series.colour) % chart_colours.size()];
  }

  std::string curve(const Series& series) const {
    std::string out, run, dots;
    size_t in_run = 0;
    const auto end_run = [&] {
      if (in_run > 1) out += fmt::format("  <polyline {} points=\"{}\"/>\n", stroke(series), run);
      run.clear();
      in_run = 0;
    };
    for (const PlotPoint& point : series.points) {
      if (!point.y) {
        end_run();
        continue;
      }
      const double x = x_(point.x), y = series.right ? right_(*point.y) : left_(*point.y);
      run += fmt::format("{}{:.1f},{:.1f}", run.empty() ? "" : " ", x, y);
      ++in_run;
      dots += fmt::format("  <circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x, y, colour(series));
    }
    end_run();
    // A single point has no line to be seen by.
    const bool has_markers = series.markers && series.points.size() <= most_markers;
    return out + (has_markers || out.empty() ? dots : "");
  }

  std::string legend() const {
    std::string out;
    double y = plot_top + 8;
    for (const Series& series : panel_.series) {
      out += fmt::format("  <line {} x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", stroke(series),
                         legend_left, y - 4, legend_left + 28, y - 4);
      std::string name = series.name.substr(0, longest_name);
      out += text_at(legend_left + 36, y, "start", name);
      y += legend_step;
    }
    return out;
  }

  const Panel& panel_;
  Range x_range_;
  Scale x_;
  std::vector<double> ticks_;
  Scale left_;
  std::vector<double> right_ticks_;
  Scale right_;
};

}  // namespace

std::vector<double> round_ticks(double low, double high) {
  if (low == high) {
    high += std::max(1.0, std::abs(high) / 10);
  }
  const double power = std::pow(10.0, std::floor(std::log10((high - low) / 8)));
  double step = power;
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    step = factor * power;
    if (std::ceil(high / step) - std::floor(low / step) <= 8) break;
  }
  std::vector<double> ticks;
  const double first = std::floor(low / step), last = std::ceil(high / step);
  for (double i = first; i <= last; ++i) ticks.push_back(i * step);
  return ticks;
}

std::string svg_of(const std::vector<Panel>& panels) {
  const double height = panel_height * static_cast<double>(panels.size());
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\">\n",
      width, height);
  out += style;
  out += fmt::format("  <rect class=\"page\" fill=\"#fff\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n", width, height);
  for (size_t i = 0; i < panels.size(); ++i) {
    out += fmt::format("  <g transform=\"translate(0 {:.0f})\">\n", panel_height * static_cast<double>(i));
    out += PanelDrawing(panels[i]).run() + "  </g>\n";
  }
  return out + "</svg>\n";
}

}  // namespace warpspan::app
