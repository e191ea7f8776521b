// SPDX-License-Identifier: GPL-3.0-or-later
// The forms of what 'warpspan facts' writes.
#pragma once

#include <string>

#include "app/reports/facts/facts_report.hpp"
#include "app/reports/report_format.hpp"

namespace warpspan::app {

// A file of facts (docs/facts.md) with what is to be filled in, and what was found in comments. Empty if there is no
// kernel.
std::string to_toml(const FactsReport& report, const TextStyle& style = {});

std::string to_json(const FactsReport& report, const TextStyle& style = {});

inline constexpr ReportFormat<FactsReport> facts_formats[] = {{"toml", in_one_piece<FactsReport, to_toml>, ".toml"},
                                                              {"json", in_one_piece<FactsReport, to_json>, ".json"}};

}  // namespace warpspan::app
