// What operations wait for besides their operands and the units that execute them.
#pragma once

#include "ir/kernel.hpp"

namespace warpspan::timing {

// For other warps of the block: barriers.
bool waits_for_warps(ir::OperationKind kind);
bool waits_for_warps(const ir::Kernel& kernel);  // with any of its operations

// For the warp's own earlier memory accesses: they complete only when these have.
bool waits_for_memory(ir::OperationKind kind);

}  // namespace warpspan::timing
