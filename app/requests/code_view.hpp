// SPDX-License-Identifier: GPL-3.0-or-later
// The code of a kernel, for pages and listings.
#pragma once

#include <memory>
#include <vector>

#include "app/reports/analyze/code_view.hpp"
#include "app/reports/analyze/line_costs.hpp"
#include "ir/listed_instruction.hpp"
#include "timing/bounds/attribution.hpp"

namespace warpspan::app {

// listing: of machine code; empty of PTX. texts: of the file that the kernel is from. costs: empty without a bound.

// The instructions of machine code; of PTX the lines that have some. Of machine code all copies of a block are counted
// as executed, of PTX the copy that is executed most.
std::vector<ViewedLine> viewed_lines(const ir::Kernel& kernel, const std::vector<ir::ListedInstruction>& listing,
                                     const std::vector<timing::InstructionCost>& costs, const LineTexts& texts);

// By block of the kernel: how often a warp executes it on the path with the most cycles.
std::vector<int64_t> block_executions(const ir::Kernel& kernel, const std::vector<timing::InstructionCost>& costs);

std::shared_ptr<const CodeView> code_view(const ir::Kernel& kernel, const ir::Flow& flow,
                                          const std::vector<ir::ListedInstruction>& listing,
                                          const std::vector<timing::InstructionCost>& costs, LineTexts& texts);

}  // namespace warpspan::app
