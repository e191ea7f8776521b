// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/analyze/ladder_json.hpp"

#include "app/reports/analyze/ladder.hpp"

namespace warpspan::app {

Json ladder_to_json(const timing::Analysis& analysis) {
  const auto headline = headline_rung(analysis);
  Json json = Json::array();
  for (size_t i = 0; i < analysis.ladder.size(); ++i) {
    const timing::Rung& rung = analysis.ladder[i];
    json.push_back({{"assumption", rung.assumption ? Json(timing::name_of(*rung.assumption)) : Json(nullptr)},
                    {"makespan", rung.makespan ? Json(*rung.makespan) : Json(nullptr)},
                    {"what", rung.what},
                    {"assume", names_up_to(analysis.ladder, i)},
                    {"headline", headline == i},
                    {"identifier", rung.assumption ? Json(timing::identifier_of(*rung.assumption)) : Json(nullptr)}});
  }
  return json;
}

}  // namespace warpspan::app
