// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of the report of 'warpspan rta'. Each is in a source of its own, which says what the text is.
#pragma once

#include <string>

#include "app/reports/report_format.hpp"
#include "app/reports/response_times/response_report.hpp"

namespace warpspan::app {

std::string to_text(const ResponseReport& report, const TextStyle& style = {});
std::string to_json(const ResponseReport& report, const TextStyle& style = {});

std::string to_svg(const ResponseReport& report, const TextStyle& style = {});
std::string to_html(const ResponseReport& report, const TextStyle& style = {});

inline constexpr ReportFormat<ResponseReport> response_formats[] = {
    {"text", in_one_piece<ResponseReport, to_text>},
    {"json", in_one_piece<ResponseReport, to_json>, ".json"},
    {"svg", in_one_piece<ResponseReport, to_svg>, ".svg"},
    {"html", in_one_piece<ResponseReport, to_html>, ".html"},
};

}  // namespace warpspan::app
