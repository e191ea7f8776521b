// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of a bound in the JSON of several commands.
#pragma once

#include <vector>

#include "app/reports/analyze/analyze_report.hpp"
#include "app/reports/json.hpp"

namespace warpspan::app {

// Behind the other keys of something that has costs: its executions, its cycles, whose they are, and the resource.
template <typename Cost>
void add_cost(Json& json, const Cost& cost) {
  json["executions"] = cost.executions;
  json["cycles"] = cost.cycles();
  json["own"] = cost.own;
  json["others"] = cost.others;
  json["resource"] = cost.resource;
}

// The costs of lines (analyze_json.cpp).
Json lines_to_json(const std::vector<LineCost>& lines);

}  // namespace warpspan::app
