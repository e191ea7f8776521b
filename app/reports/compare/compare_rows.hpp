// SPDX-License-Identifier: GPL-3.0-or-later
// What the comparison of one kernel says, as rows of cells that every format for people prints as it likes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/reports/compare/compare_report.hpp"
#include "app/reports/readable.hpp"

namespace warpspan::app {

// "reduce<512>": of the first side that has the kernel; where several are called so, "reduce<512> (k.ptx)".
std::string title_of(const CompareReport& report, const ComparedKernel& kernel);

// How the columns of sides are called: "before" and "after", or "(1)", "(2)" and so on where there are more than two.
std::vector<std::string> column_names(size_t sides);

// A name, a cell for each side ("-" where it has no such thing, "not known" where nothing tells it), and, of two sides,
// the change and what it is of the value before. The bound comes first; loops that are the same everywhere are left
// out.
std::vector<Row> figure_rows(const ComparedKernel& kernel);
// Whether it is the one of expected times.
bool is_expected(const Row& row);

// Whether anything that is shown of the kernel differs between its sides, or there is something to remark.
bool has_change(const CompareReport& report, const ComparedKernel& kernel);

// "waiting for memory", before, after, change: at most `most`, the largest change first.
std::vector<Row> part_rows(const KernelChanges& changes, size_t most);

// The lines that gained, or that lost: change, before, after, "k.cu:42" or "k.cu:42 -> 44", text. Of words the same
// with the word instead of the place, and no text.
std::vector<Row> line_rows(const KernelChanges& changes, bool gained, size_t most);

// One sentence each: how the kernel was found, other machines, other launches, what only one side assumes (on the same
// machine), why there are no lines, a regression. side: above 0.
std::vector<std::string> remarks_on(const CompareReport& report, const ComparedKernel& kernel, size_t side);

}  // namespace warpspan::app
