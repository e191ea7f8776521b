// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of the report of 'warpspan list'. Each is in a source of its own, which says what the text is.
#pragma once

#include <string>

#include "app/reports/list/list_report.hpp"
#include "app/reports/report_format.hpp"

namespace warpspan::app {

std::string to_text(const ListReport& report, const TextStyle& style = {});
std::string to_json(const ListReport& report, const TextStyle& style = {});

inline constexpr ReportFormat<ListReport> list_formats[] = {
    {"text", in_one_piece<ListReport, to_text>},
    {"json", in_one_piece<ListReport, to_json>, ".json"},
};

}  // namespace warpspan::app
