// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/simulate/timeline_html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/reports/html/charts.hpp"
#include "app/reports/html/page.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/xml.hpp"

namespace warpspan::app {

namespace {

// Pixels.
constexpr int64_t width = 1100, plot_left = 130, plot_width = 950, row_height = 15, bar_height = 12, axis_height = 24;
constexpr int64_t hundredths = 100;
constexpr int64_t most_ticks = 10;

int64_t whole(double value) { return static_cast<int64_t>(std::llround(value)); }

class WarpsDrawing {
 public:
  WarpsDrawing(const SimulatedKernel& kernel, const ActivityColours& colours)
      : kernel_(kernel), timeline_(kernel.simulation.timeline), colours_(colours) {
    for (const timing::Timeline::Row& row : timeline_.rows) end_ = std::max(end_, row.warps.back().end);
  }

  std::string run() {
    std::string rows;
    for (const timing::Timeline::Row& row : timeline_.rows) {
      rows += fmt::format("<text x=\"0\" y=\"{}\">{}</text>\n", y_ + bar_height - 2, label(row));
      rows += timeline_.is_exact ? spans(row) : segments(row);
      rows += begins(row);
      y_ += row_height;
    }
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"warps\" viewBox=\"0 0 {} {}\" role=\"img\">\n"
               "<title>what warps did over time</title>\n",
               width, y_ + axis_height) +
           axis() + rows + "</svg>\n";
  }

  // The colours in the picture, each with its name.
  std::string legend() const {
    std::string out;
    for (const size_t activity : shown_)
      out += "<span>" + colour_key(colours_[activity]) + activity_name(activity) + "</span> ";
    return "<p class=\"legend\">" + out + "</p>\n";
  }

 private:
  int64_t x_at(double time) const {
    return plot_left * hundredths +
           whole(std::clamp(time / end_, 0.0, 1.0) * static_cast<double>(plot_width * hundredths));
  }

  static std::string cycles(double begin, double end) {
    return thousands(whole(begin)) + " to " + thousands(whole(end));
  }

  static std::string warp_words(const timing::Timeline::Warp& warp) {
    return "block " + thousands(warp.block) + ", warp " + std::to_string(warp.number);
  }

  static std::string label(const timing::Timeline::Row& row) {
    return row.warps.size() == 1 ? warp_words(row.warps.front()) : counted(std::ssize(row.warps), "warp");
  }

  std::string bar(size_t activity, double begin, double end, const std::string& words) {
    shown_.insert(activity);
    const int64_t from = x_at(begin);
    return fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}</title></rect>\n",
                       colours_[activity], pixels(from), y_, pixels(x_at(end) - from), bar_height, html_text(words));
  }

  std::string spans(const timing::Timeline::Row& row) {
    std::string out;
    for (const timing::Timeline::Span& span : row.spans) {
      const auto place = kernel_.placed.find(span.instruction);
      out += bar(span.activity, span.begin, span.end,
                 activity_name(span.activity) + ", " + cycles(span.begin, span.end) +
                     (place == kernel_.placed.end() ? "" : ": " + place->second));
    }
    return out;
  }

  // Neighbours that were filled by the same are one bar.
  std::string segments(const timing::Timeline::Row& row) {
    std::string out;
    for (size_t first = 0; first < row.segments.size();) {
      const size_t most = most_of(row.segments[first]);
      size_t last = first + 1;
      while (last < row.segments.size() && most_of(row.segments[last]) == most) ++last;
      const double begin = static_cast<double>(first) * timeline_.width;
      const double end = std::min(static_cast<double>(last) * timeline_.width, end_);
      if (most < timing::activities) {
        double filled = 0;
        for (size_t i = first; i < last; ++i) filled += row.segments[i][most];
        out += bar(most, begin, end,
                   fmt::format("{}, {} of {}", activity_name(most), percent(whole(filled / (end - begin) * 1000)),
                               cycles(begin, end)));
      }
      first = last;
    }
    return out;
  }

  // What filled most of it; timing::activities: it was empty for more than half of its time.
  size_t most_of(const timing::Timeline::Segment& segment) const {
    double all = 0;
    for (const double cycles : segment) all += cycles;
    if (all * 2 < timeline_.width) return timing::activities;
    return static_cast<size_t>(std::max_element(segment.begin(), segment.end()) - segment.begin());
  }

  // Where another warp took the place, as far as such marks can be told apart.
  std::string begins(const timing::Timeline::Row& row) const {
    constexpr int64_t apart = 4 * hundredths;
    std::string out;
    int64_t last = 0;
    for (size_t i = 1; i < row.warps.size(); ++i) {
      const int64_t x = x_at(row.warps[i].begin);
      if (x < last + apart) continue;
      out += fmt::format("<path class=\"begin\" d=\"M{} {}V{}\"><title>{} begins at {}</title></path>\n", pixels(x), y_,
                         y_ + bar_height, warp_words(row.warps[i]), thousands(whole(row.warps[i].begin)));
      last = x;
    }
    return out;
  }

  std::string axis() const {
    const int64_t step = axis_step(std::max<int64_t>(whole(end_), 1), most_ticks);
    std::string out;
    for (int64_t time = 0; time <= whole(end_); time += step) {
      const std::string x = pixels(x_at(static_cast<double>(time)));
      out += fmt::format("<path class=\"grid\" d=\"M{0} 0V{1}\"/><text class=\"tick\" x=\"{0}\" y=\"{2}\">{3}</text>\n",
                         x, y_, y_ + axis_height - 8, thousands(time));
    }
    return out + fmt::format("<text x=\"0\" y=\"{}\">cycles</text>\n", y_ + axis_height - 8);
  }

  const SimulatedKernel& kernel_;
  const timing::Timeline& timeline_;
  const ActivityColours& colours_;
  double end_ = 1;
  int64_t y_ = 0;
  std::set<size_t> shown_;
};

std::string remark(const SimulatedKernel& kernel) {
  const timing::Timeline& timeline = kernel.simulation.timeline;
  std::string text = timeline.is_exact
                         ? "A row for each warp, from when it begins: what it waits for, and where it issues."
                         : "A row for each warp, or for its place where others follow it; each segment of " +
                               counted(whole(timeline.width), "cycle") + " has the colour of what filled most of it.";
  if (timeline.left_out > 0) {
    const int64_t shown = std::ssize(timeline.rows);
    text += " Of " + thousands(shown + timeline.left_out) + " warps at a time, " + thousands(shown) + " are shown.";
  }
  return "<p class=\"remark\">" + text + "</p>\n";
}

}  // namespace

std::string activity_name(size_t activity) {
  return activity == timing::issuing ? "issuing" : std::string(to_string(static_cast<timing::Stall>(activity)));
}

std::string timeline_section(const SimulatedKernel& kernel, const ActivityColours& colours) {
  if (kernel.simulation.timeline.rows.empty()) return {};
  WarpsDrawing drawing(kernel, colours);
  const std::string picture = drawing.run();
  return folded("Warps over time", remark(kernel) + scrolled(picture) + drawing.legend());
}

}  // namespace warpspan::app
