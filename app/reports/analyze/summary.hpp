// SPDX-License-Identifier: GPL-3.0-or-later
// The report of analyze as somebody at a terminal needs it first: a few lines for one kernel, a table for several.
#pragma once

#include <string>

#include "app/reports/analyze/analyze_report.hpp"
#include "app/reports/text_style.hpp"

namespace warpspan::app {

// Kernel, launch and machine; the bounds and the expected time; the three lines that cost most; the first advice; how
// much is assumed. What cannot be is said, too: code that no device of the machine runs.
std::string kernel_summary(const KernelReport& kernel, const TextStyle& style);

// A row for each kernel, those without a bound last, under what all have in common; what the columns are, and how one
// kernel is seen in full. Empty for fewer than two with a bound, and without bounds of the pipeline model.
std::string kernel_table(const AnalyzeReport& report, const TextStyle& style);

}  // namespace warpspan::app
