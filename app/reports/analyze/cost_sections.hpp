// SPDX-License-Identifier: GPL-3.0-or-later
// Which lines the cycles of a bound belong to, for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/reports/analyze/analyze_report.hpp"

namespace warpspan::app {

// The costliest lines, `most` of them, under a heading row: cycles, part of the makespan, executions, what most of it
// is, place and text. Then what other lines have, and what no line has. No row is longer than `width`, but where the
// place is. Empty if there are no lines.
std::string cost_table(const std::vector<LineCost>& lines, int64_t makespan, size_t most = 10, size_t width = 100);

// The `most` lines of the kernel that cost most without a heading row, what no line has among them, and nothing below
// half a per cent: part of the makespan, place, what most of it is, and text.
std::string costliest_lines(const KernelReport& kernel, int64_t makespan, size_t most, size_t indent, size_t width);

}  // namespace warpspan::app
