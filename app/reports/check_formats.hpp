// The formats of the report of 'warpspan check'. Each is in a source of its own, which says what the text is.
#pragma once

#include <string>

#include "app/reports/check_report.hpp"
#include "app/reports/report_format.hpp"

namespace warpspan::app {

std::string to_text(const CheckReport& report, bool colour = false);
std::string to_json(const CheckReport& report, bool colour = false);

inline constexpr ReportFormat<CheckReport> check_formats[] = {
    {"text", to_text},
    {"json", to_json},
};

}  // namespace warpspan::app
