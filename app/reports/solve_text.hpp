// The report of 'warpspan solve' for people.
#pragma once

#include <string>

#include "app/reports/solve_report.hpp"

namespace warpspan::app {

// About one screen for one number of warps, a table for several; without the errors. colour: with terminal codes.
std::string to_text(const SolveReport& report, bool colour);

}  // namespace warpspan::app
