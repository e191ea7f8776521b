// SPDX-License-Identifier: GPL-3.0-or-later
// Lines whose cycles changed, on a page.
#pragma once

#include <string>
#include <vector>

#include "app/reports/compare/compare_report.hpp"

namespace warpspan::app {

// What the page of such a table has in its style.
inline constexpr const char* line_change_style =
    ".middle { stroke: var(--line) }\n.rose { fill: var(--bad) } .fell { fill: var(--good) }\n";

// A row for each of the first 200; empty without any. caption: fit for a page.
std::string line_change_table(const std::string& caption, const std::vector<LineChange>& lines);

}  // namespace warpspan::app
