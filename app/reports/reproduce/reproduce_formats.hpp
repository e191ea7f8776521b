// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of the report of 'warpspan reproduce'. Each is in a source of its own, which says what the text is.
#pragma once

#include <string>

#include "app/reports/report_format.hpp"
#include "app/reports/reproduce/reproduce_report.hpp"

namespace warpspan::app {

std::string to_text(const ReproduceReport& report, const TextStyle& style = {});
std::string to_markdown(const ReproduceReport& report, const TextStyle& style = {});
std::string to_json(const ReproduceReport& report, const TextStyle& style = {});

inline constexpr ReportFormat<ReproduceReport> reproduce_formats[] = {
    {"text", in_one_piece<ReproduceReport, to_text>},
    {"markdown", in_one_piece<ReproduceReport, to_markdown>, ".md .markdown"},
    {"json", in_one_piece<ReproduceReport, to_json>, ".json"},
};

}  // namespace warpspan::app
