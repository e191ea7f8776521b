// SPDX-License-Identifier: GPL-3.0-or-later
// What changed in one kernel, figure by figure. With the sides changed, every change has the other sign.
#pragma once

#include <vector>

#include "app/reports/compare/compare_report.hpp"

namespace warpspan::app {

// All of KernelChanges but `matched` and `regressed`. Bounds under different launches cannot be compared.
KernelChanges changes_between(const KernelFigures& before, const KernelFigures& after);

// Loops of the same source line, the first with the first; if some loop of a side has no source line, all by their
// order.
std::vector<LoopChange> match_loops(const std::vector<LoopFigure>& before, const std::vector<LoopFigure>& after,
                                    bool& by_line);

// Lines of one source file (by its name, or its path where a side has several files of that name) are the same if
// number and text are; else if the text is, the first with the first; then of any two files if the text is, and no
// other line has it; else if the number is, or of lines without one the text. Only those whose cycles changed, the
// largest change first.
std::vector<LineChange> match_lines(const std::vector<LineCost>& before, const std::vector<LineCost>& after);

}  // namespace warpspan::app
