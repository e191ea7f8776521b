// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of the report of 'warpspan check'. Each is in a source of its own, which says what the text is.
#pragma once

#include <string>

#include "app/reports/check/check_report.hpp"
#include "app/reports/report_format.hpp"

namespace warpspan::app {

std::string to_text(const CheckReport& report, const TextStyle& style = {});
std::string to_json(const CheckReport& report, const TextStyle& style = {});
LongText to_long_json(const CheckReport& report, const TextStyle& style);
std::string to_junit(const CheckReport& report, const TextStyle& style = {});
std::string to_sarif(const CheckReport& report, const TextStyle& style = {});
std::string to_github(const CheckReport& report, const TextStyle& style = {});
std::string to_markdown(const CheckReport& report, const TextStyle& style = {});
std::string to_html(const CheckReport& report, const TextStyle& style = {});
std::string to_csv(const CheckReport& report, const TextStyle& style = {});

inline constexpr ReportFormat<CheckReport> check_formats[] = {
    {"text", in_one_piece<CheckReport, to_text>},
    {"json", to_long_json, ".json"},
    {"junit", in_one_piece<CheckReport, to_junit>, ".xml"},
    {"sarif", in_one_piece<CheckReport, to_sarif>, ".sarif .json"},
    {"github", in_one_piece<CheckReport, to_github>},
    {"markdown", in_one_piece<CheckReport, to_markdown>, ".md .markdown"},
    {"html", in_one_piece<CheckReport, to_html>, ".html"},
    {"csv", in_one_piece<CheckReport, to_csv>, ".csv"},
};

}  // namespace warpspan::app
