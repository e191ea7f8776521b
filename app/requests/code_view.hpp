// SPDX-License-Identifier: GPL-3.0-or-later
// The code of a kernel that was bounded, for pages.
#pragma once

#include <memory>
#include <vector>

#include "app/reports/analyze/code_view.hpp"
#include "app/reports/analyze/line_costs.hpp"
#include "ir/listed_instruction.hpp"
#include "timing/bounds/attribution.hpp"

namespace warpspan::app {

// listing: of machine code; empty of PTX. texts: of the file that the kernel is from.
std::shared_ptr<const CodeView> code_view(const ir::Kernel& kernel, const ir::Flow& flow,
                                          const std::vector<ir::ListedInstruction>& listing,
                                          const std::vector<timing::InstructionCost>& costs, LineTexts& texts);

}  // namespace warpspan::app
