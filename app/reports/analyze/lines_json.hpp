// The lines of a bound in the JSON of several commands.
#pragma once

#include <vector>

#include "app/reports/analyze/analyze_report.hpp"
#include "app/reports/json.hpp"

namespace warpspan::app {

// The costs of lines (analyze_json.cpp).
Json lines_to_json(const std::vector<LineCost>& lines);

}  // namespace warpspan::app
