// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of the report of 'warpspan verify'. Each is in a source of its own, which says what the text is.
#pragma once

#include <string>

#include "app/reports/report_format.hpp"
#include "app/reports/solve/verify_report.hpp"

namespace warpspan::app {

std::string to_text(const VerifyReport& report, const TextStyle& style = {});
std::string to_json(const VerifyReport& report, const TextStyle& style = {});

inline constexpr ReportFormat<VerifyReport> verify_formats[] = {
    {"text", in_one_piece<VerifyReport, to_text>},
    {"json", in_one_piece<VerifyReport, to_json>},
};

}  // namespace warpspan::app
