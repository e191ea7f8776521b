// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reference/generators/shrink.hpp"

#include <algorithm>
#include <sstream>

namespace warpspan::reference {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string text_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

Experiment shrink(Experiment experiment, const std::function<bool(const Experiment&)>& still_wrong) {
  if (!experiment.bodies.empty()) return experiment;  // two texts would have to stay alike
  std::vector<std::string> lines = lines_of(experiment.text);
  const auto wrong = [&](const std::vector<std::string>& kept) {
    experiment.text = text_of(kept);
    return still_wrong(experiment);
  };
  for (size_t run = lines.size() / 2; run > 0;) {
    bool smaller = false;
    for (size_t first = 0; first < lines.size();) {
      std::vector<std::string> kept = lines;
      const size_t end = std::min(first + run, lines.size());
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(first), kept.begin() + static_cast<std::ptrdiff_t>(end));
      if (wrong(kept)) {
        lines = std::move(kept);
        smaller = true;
      } else {
        first += run;
      }
    }
    if (!smaller || run > 1) run /= 2;
  }
  experiment.text = text_of(lines);
  return experiment;
}

}  // namespace warpspan::reference
