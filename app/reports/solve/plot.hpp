// SPDX-License-Identifier: GPL-3.0-or-later
// Line charts as SVG: panels one below the other, each with axes, a legend and a title.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpspan::app {

struct PlotPoint {
  double x = 0;
  std::optional<double> y;  // none: the line has a hole here
};

struct Series {
  enum class Stroke { solid, dashed, dotted };
  std::string name;
  std::vector<PlotPoint> points;  // ascending in x
  int colour = 0;                 // any number; 10 colours, then again from the first
  Stroke stroke = Stroke::solid;
  double width = 2;  // of the line, in pixels
  bool markers = true;
  bool right = false;  // on the right axis
};

struct Panel {
  std::string title, x_label, y_label;
  std::string right_label;     // of the right axis: seconds, logarithmic; it appears with its first series
  bool from_zero = true;       // the left axis begins at 0
  std::vector<Series> series;  // later ones above earlier ones
};

// Round numbers from at most `low` to at least `high`, at most 9, with one distance. low <= high, both finite.
std::vector<double> round_ticks(double low, double high);

// A whole document that can be read on light and on dark ground. All numbers are finite, those on a right axis
// positive.
std::string svg_of(const std::vector<Panel>& panels);

}  // namespace warpspan::app
