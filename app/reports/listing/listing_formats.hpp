// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of the report of 'warpspan listing'. Each is in a source of its own, which says what the text is.
#pragma once

#include <string>

#include "app/reports/listing/listing_report.hpp"
#include "app/reports/report_format.hpp"

namespace warpspan::app {

std::string to_text(const ListingReport& report, const TextStyle& style = {});
std::string to_json(const ListingReport& report, const TextStyle& style = {});

inline constexpr ReportFormat<ListingReport> listing_formats[] = {
    {"text", in_one_piece<ListingReport, to_text>},
    {"json", in_one_piece<ListingReport, to_json>, ".json"},
};

}  // namespace warpspan::app
