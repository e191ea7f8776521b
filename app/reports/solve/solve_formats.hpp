// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of the report of 'warpspan solve'. Each is in a source of its own, which says what the text is.
#pragma once

#include <string>

#include "app/reports/report_format.hpp"
#include "app/reports/solve/solve_report.hpp"

namespace warpspan::app {

std::string to_text(const SolveReport& report, const TextStyle& style = {});
std::string to_json(const SolveReport& report, const TextStyle& style = {});
std::string to_html(const SolveReport& report, const TextStyle& style = {});
std::string to_csv(const SolveReport& report, const TextStyle& style = {});
std::string to_svg(const SolveReport& report, const TextStyle& style = {});

inline constexpr ReportFormat<SolveReport> solve_formats[] = {
    {"text", in_one_piece<SolveReport, to_text>},          {"json", in_one_piece<SolveReport, to_json>, ".json"},
    {"html", in_one_piece<SolveReport, to_html>, ".html"}, {"csv", in_one_piece<SolveReport, to_csv>, ".csv"},
    {"svg", in_one_piece<SolveReport, to_svg>, ".svg"},
};

}  // namespace warpspan::app
