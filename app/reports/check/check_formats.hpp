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
    {"text", to_text},           {"json", to_json, ".json", to_long_json},
    {"junit", to_junit, ".xml"}, {"sarif", to_sarif, ".sarif .json"},
    {"github", to_github},       {"markdown", to_markdown, ".md .markdown"},
    {"html", to_html, ".html"},  {"csv", to_csv, ".csv"},
};

}  // namespace warpspan::app
