// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/html/charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/reports/palette.hpp"
#include "app/reports/xml.hpp"

namespace warpspan::app {

namespace {

using support::Int128;

constexpr int64_t bar_width = 1000;

// "10 us": a power of ten, of picoseconds.
std::string decade_text(int power) {
  constexpr const char* units[] = {"ps", "ns", "us", "ms", "s"};
  const int unit = std::min(power / 3, 4);
  return "1" + std::string(static_cast<size_t>(power - 3 * unit), '0') + " " + units[unit];
}

// The decades that all steps lie in.
struct Decades {
  int first = 0, last = 1;

  double part(int64_t picoseconds) const {
    return (std::log10(static_cast<double>(std::max<int64_t>(picoseconds, 1))) - first) / (last - first);
  }
};

Decades decades_of(const std::vector<Step>& steps) {
  const auto [least, most] = std::minmax_element(
      steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.picoseconds < b.picoseconds; });
  const auto power = [](int64_t value) { return std::log10(static_cast<double>(std::max<int64_t>(value, 1))); };
  Decades decades;
  decades.first = static_cast<int>(std::floor(power(least->picoseconds)));
  // The smallest keeps a bar that can be seen.
  if (power(least->picoseconds) - decades.first < 0.1 && decades.first > 0) --decades.first;
  decades.last = std::max(decades.first + 1, static_cast<int>(std::ceil(power(most->picoseconds))));
  return decades;
}

std::string step_bar(const Step& step, const Decades& decades) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"bar\" viewBox=\"0 0 {} 16\" preserveAspectRatio=\"none\" "
      "aria-hidden=\"true\">",
      bar_width);
  const int count = decades.last - decades.first;
  for (int i = 0; i <= count; ++i) {
    out += fmt::format("<path class=\"tick\" d=\"M{0} 0V16\" vector-effect=\"non-scaling-stroke\"/>",
                       bar_width * i / count);
  }
  return out + fmt::format("<rect y=\"2\" width=\"{:.2f}\" height=\"12\"/></svg>",
                           std::clamp(decades.part(step.picoseconds), 0.0, 1.0) * bar_width);
}

}  // namespace

std::string stacked_bar(const std::string& title, const std::vector<BarPart>& parts, Int128 all, Int128 full) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"bar\" viewBox=\"0 0 {0} 22\" preserveAspectRatio=\"none\" "
      "role=\"img\">\n<title>{1}</title>\n<rect class=\"room\" width=\"{0}\" height=\"22\"/>\n",
      bar_width, html_text(title));
  const auto x = [all](Int128 at) { return static_cast<int64_t>(at * (bar_width * 100) / all); };
  Int128 at = 0;
  for (const BarPart& part : parts) {
    out += fmt::format("<rect class=\"{}\" x=\"{}\" width=\"{}\" height=\"22\"><title>{}</title></rect>\n", part.kind,
                       pixels(x(at)), pixels(x(at + part.size) - x(at)), html_text(part.words));
    at += part.size;
  }
  if (full < all) out += fmt::format("<path class=\"full\" d=\"M{} 0V22\"/>\n", pixels(x(full)));
  return out + "</svg>\n";
}

std::string colour_number(size_t number) { return "c" + std::to_string(number % chart_colours.size()); }

std::string colour_key(const std::string& kind) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"key\" viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect "
      "class=\"{}\" width=\"10\" height=\"10\"/></svg>",
      kind);
}

std::string pixels(int64_t hundredths) { return fmt::format("{}.{:02}", hundredths / 100, hundredths % 100); }

int64_t axis_step(int64_t length, int64_t most) {
  Int128 step = 1;
  for (int i = 0; length / step > most; ++i) step = i % 3 == 1 ? step / 2 * 5 : step * 2;
  return static_cast<int64_t>(step);
}

std::string time_steps(const std::vector<Step>& steps) {
  if (steps.empty()) return {};
  const Decades decades = decades_of(steps);
  std::string out = "<ul class=\"steps\">\n";
  for (const Step& step : steps) {
    out += fmt::format(
        "<li><span>{}</span><span class=\"drawn {}\">{}</span><span class=\"time\">{}</span><span "
        "class=\"gain\">{}</span><span class=\"what\">{}</span></li>\n",
        html_text(step.label), step.kind, step_bar(step, decades), html_text(step.time), html_text(step.gain),
        html_text(step.what));
  }
  std::string ticks;
  const int count = decades.last - decades.first;
  const int apart = std::max(1, (count + 3) / 4);  // decades between two words
  for (int i = 0; i <= count; ++i) {
    if (i != count && (i % apart != 0 || count - i < apart)) continue;
    ticks += fmt::format("<i style=\"left: {}%\">{}</i>", 100 * i / count, decade_text(decades.first + i));
  }
  return out + "<li aria-hidden=\"true\"><span class=\"none\"></span><span class=\"drawn axis\">" + ticks +
         "</span><span class=\"none\"></span><span class=\"none\"></span><span class=\"none\"></span></li>\n</ul>\n";
}

std::string heat_of(int64_t part, int64_t whole) {
  if (whole <= 0 || Int128{part} * 200 < whole) return {};
  const double root = std::sqrt(std::min(1.0, static_cast<double>(part) / static_cast<double>(whole)));
  return "h" + std::to_string(std::clamp(static_cast<int>(std::ceil(root * 8)), 1, 8));
}

}  // namespace warpspan::app
