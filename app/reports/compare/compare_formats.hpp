// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of the report of 'warpspan compare'. Each is in a source of its own, which says what the text is.
#pragma once

#include <string>

#include "app/reports/compare/compare_report.hpp"
#include "app/reports/report_format.hpp"

namespace warpspan::app {

std::string to_text(const CompareReport& report, const TextStyle& style = {});
std::string to_json(const CompareReport& report, const TextStyle& style = {});
std::string to_markdown(const CompareReport& report, const TextStyle& style = {});
std::string to_html(const CompareReport& report, const TextStyle& style = {});
std::string to_csv(const CompareReport& report, const TextStyle& style = {});

inline constexpr ReportFormat<CompareReport> compare_formats[] = {
    {"text", in_one_piece<CompareReport, to_text>},
    {"json", in_one_piece<CompareReport, to_json>, ".json"},
    {"markdown", in_one_piece<CompareReport, to_markdown>, ".md .markdown"},
    {"html", in_one_piece<CompareReport, to_html>, ".html"},
    {"csv", in_one_piece<CompareReport, to_csv>, ".csv"},
};

}  // namespace warpspan::app
