#include "app/reports/analyze/lines_json.hpp"

namespace warpspan::app {

Json lines_to_json(const std::vector<LineCost>& lines) {
  Json json = Json::array();
  for (const LineCost& line : lines) {
    json.push_back({{"file", line.file},
                    {"line", line.line},
                    {"executions", line.executions},
                    {"cycles", line.cycles()},
                    {"own", line.own},
                    {"others", line.others},
                    {"resource", line.resource},
                    {"text", line.text}});
  }
  return json;
}

}  // namespace warpspan::app
