// SPDX-License-Identifier: GPL-3.0-or-later
// Which instructions the paths of threads depend on.
#pragma once

#include <vector>

#include "frontend/lift/translation/memory_slots.hpp"
#include "ir/program.hpp"

namespace warpspan::lift {

// By instruction: those that end a block and decide where it goes on, and those that compute what any of them reads,
// through registers and slots, wherever they stand.
std::vector<bool> find_control_inputs(const ir::Body& body, const MemorySlots& slots);

}  // namespace warpspan::lift
