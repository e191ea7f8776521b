// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/solve/schedule_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpspan::app {

namespace {

constexpr size_t line_width = 100;
constexpr size_t most_numbered = 99;  // symbols of a string

std::string cell_text(const std::string& classes, size_t symbol) {
  std::string text(1, classes[symbol]);
  if (classes.size() <= most_numbered) text += std::to_string(symbol + 1);
  return text;
}

// The cells of a warp in the cycles from first on, each as wide as `width`.
std::string cells(const std::vector<int64_t>& cycles, const std::string& classes, int64_t first, int64_t last,
                  size_t width) {
  std::string line;
  auto at = std::lower_bound(cycles.begin(), cycles.end(), first);
  for (int64_t cycle = first; cycle <= last && at != cycles.end(); ++cycle) {
    std::string text = ".";
    if (*at == cycle) {
      text = cell_text(classes, static_cast<size_t>(at - cycles.begin()));
      ++at;
    }
    line += fmt::format(" {:<{}}", text, width);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::string draw(const solver::Schedule& schedule, const std::string& classes) {
  int64_t makespan = 0;
  for (const auto& cycles : schedule.cycles) makespan = std::max(makespan, cycles.empty() ? 0 : cycles.back());
  const std::string warp_width = std::to_string(schedule.cycles.size());
  const size_t label = std::string("warp ").size() + warp_width.size();
  const size_t width = std::max(std::to_string(makespan).size(), cell_text(classes, classes.size() - 1).size());
  const auto columns = static_cast<int64_t>((line_width - 4 - label) / (width + 1));
  std::string out;
  for (int64_t first = 1; first <= makespan; first += columns) {
    const int64_t last = std::min(makespan, first + columns - 1);
    if (first > 1) out += "\n";
    std::string heading = fmt::format("    {:<{}}", "cycle", label);
    for (int64_t cycle = first; cycle <= last; ++cycle) heading += fmt::format(" {:<{}}", cycle, width);
    heading.erase(heading.find_last_not_of(' ') + 1);
    out += heading + "\n";
    for (size_t w = 0; w < schedule.cycles.size(); ++w) {
      std::string line = fmt::format("    warp {:>{}}", w + 1, warp_width.size());
      line += cells(schedule.cycles[w], classes, first, last, width);
      out += line + "\n";
    }
  }
  return out;
}

}  // namespace warpspan::app
