// What operations wait for besides their operands and the units that execute them.
#pragma once

#include "ir/kernel.hpp"

namespace warpspan::timing {

// For the warp's own earlier memory accesses: they complete only when these have.
bool waits_for_memory(const ir::Operation& operation);

}  // namespace warpspan::timing
