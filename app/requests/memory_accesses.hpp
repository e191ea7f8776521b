// SPDX-License-Identifier: GPL-3.0-or-later
// Where a kernel accesses memory.
#pragma once

#include <vector>

#include "app/reports/analyze/analyze_report.hpp"
#include "app/reports/analyze/line_costs.hpp"
#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "timing/bounds/attribution.hpp"

namespace warpspan::app {

// One for each of the flow's accesses, with what the instruction costs; costs: ascending instructions. line_of: asked
// of instructions that have a line of the source.
std::vector<MemoryAccess> memory_accesses(const ir::Kernel& kernel, const ir::Flow& flow,
                                          const std::vector<timing::InstructionCost>& costs, const LineOf& line_of);

}  // namespace warpspan::app
