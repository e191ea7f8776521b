// SPDX-License-Identifier: GPL-3.0-or-later
// What operations wait for besides their operands and the units that execute them.
#pragma once

#include "ir/kernel.hpp"

namespace warpspan::timing {

// For the warp's own earlier memory accesses: they complete only when these have.
bool waits_for_memory(const ir::Operation& operation);

// Whether some operation of a kernel waits for launches that its own depends on, or lets those begin that depend on it.
bool depends_on_launches(const ir::Kernel& kernel);

}  // namespace warpspan::timing
