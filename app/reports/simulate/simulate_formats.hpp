// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of the report of 'warpspan simulate'. Each is in a source of its own, which says what the text is.
#pragma once

#include <string>

#include "app/reports/report_format.hpp"
#include "app/reports/simulate/simulate_report.hpp"

namespace warpspan::app {

std::string to_text(const SimulateReport& report, const TextStyle& style = {});
std::string to_json(const SimulateReport& report, const TextStyle& style = {});
std::string to_html(const SimulateReport& report, const TextStyle& style = {});

inline constexpr ReportFormat<SimulateReport> simulate_formats[] = {
    {"text", in_one_piece<SimulateReport, to_text>},
    {"json", in_one_piece<SimulateReport, to_json>, ".json"},
    {"html", in_one_piece<SimulateReport, to_html>, ".html"},
};

}  // namespace warpspan::app
