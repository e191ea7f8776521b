// A sweep as a picture of two charts: (a) makespan against the number of warps, a line for each method; (b) as figures
// 6 and 7 of Berezovskyi et al. (2012), what the exact values of few warps make of the makespan of many, beside the
// bounds of it, and how long the exact values took.
#pragma once

#include <string>

#include "app/reports/solve_report.hpp"

namespace warpspan::app {

// An SVG document. (b) is for the report's target, or else for its most warps.
std::string to_svg(const SolveReport& report);

}  // namespace warpspan::app
