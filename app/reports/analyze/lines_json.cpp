// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/analyze/lines_json.hpp"

#include <utility>

namespace warpspan::app {

Json lines_to_json(const std::vector<LineCost>& lines) {
  Json json = Json::array();
  for (const LineCost& line : lines) {
    Json entry = {{"file", line.file}, {"line", line.line}};
    add_cost(entry, line);
    entry["text"] = line.text;
    json.push_back(std::move(entry));
  }
  return json;
}

}  // namespace warpspan::app
