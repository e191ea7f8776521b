// SPDX-License-Identifier: GPL-3.0-or-later
// Where a kernel accesses memory.
#pragma once

#include <vector>

#include "app/reports/analyze/analyze_report.hpp"
#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "timing/bounds/attribution.hpp"

namespace warpspan::app {

// One for each of the flow's accesses, with what the instruction costs; costs: ascending instructions.
std::vector<MemoryAccess> memory_accesses(const ir::Kernel& kernel, const ir::Flow& flow,
                                          const std::vector<timing::InstructionCost>& costs);

}  // namespace warpspan::app
