// SPDX-License-Identifier: GPL-3.0-or-later
// How much a kernel asks of each memory.
#pragma once

#include <optional>
#include <vector>

#include "app/reports/analyze/analyze_report.hpp"
#include "ir/flow.hpp"
#include "ir/kernel.hpp"

namespace warpspan::app {

// For every space, in the order of ir::MemorySpace, the pieces (ir::Flow::transactions) that the accesses of one warp
// fall into; each total is maximized by itself. Nothing if a total exceeds 64 bits, or the kernel never ends. Requires
// trip counts for all loops.
std::optional<std::vector<SpaceTransactions>> memory_transactions(const ir::Kernel& kernel, const ir::Flow& flow);

}  // namespace warpspan::app
