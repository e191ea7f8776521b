// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of the report of 'warpspan analyze'. Each is in a source of its own, which says what the text is.
#pragma once

#include <string>

#include "app/reports/analyze/analyze_report.hpp"
#include "app/reports/report_format.hpp"

namespace warpspan::app {

std::string to_text(const AnalyzeReport& report, const TextStyle& style = {});
std::string to_json(const AnalyzeReport& report, const TextStyle& style = {});
std::string to_html(const AnalyzeReport& report, const TextStyle& style = {});
std::string to_csv(const AnalyzeReport& report, const TextStyle& style = {});
LongText to_long_text(const AnalyzeReport& report, const TextStyle& style);
LongText to_long_json(const AnalyzeReport& report, const TextStyle& style);
LongText to_long_csv(const AnalyzeReport& report, const TextStyle& style);

inline constexpr ReportFormat<AnalyzeReport> analyze_formats[] = {
    {"text", to_long_text},
    {"json", to_long_json, ".json"},
    {"html", in_one_piece<AnalyzeReport, to_html>, ".html"},
    {"csv", to_long_csv, ".csv"},
};

}  // namespace warpspan::app
