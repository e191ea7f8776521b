// The report of analyze for people: about one screen a kernel.
#pragma once

#include <string>

#include "app/reports/analyze_report.hpp"

namespace warpspan::app {

// All kernels, one after another; without the errors. colour: with terminal codes.
std::string to_text(const AnalyzeReport& report, bool colour);

}  // namespace warpspan::app
