// A sweep as a table for other programs.
#pragma once

#include <string>

#include "app/reports/solve_report.hpp"

namespace warpspan::app {

// A heading, then one line for each number of warps: warps, lower, upper, exact, seconds that it took, and a
// column for each method asked for other than exact. A field without a value is empty. Comma-separated, RFC 4180 but
// for its line ends, which are single.
std::string to_csv(const SolveReport& report);

}  // namespace warpspan::app
