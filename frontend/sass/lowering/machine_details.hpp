// SPDX-License-Identifier: GPL-3.0-or-later
// What machine instructions are to a simulation of their time.
#pragma once

#include <vector>

#include "frontend/sass/words/code.hpp"
#include "ir/execution/machine_detail.hpp"

namespace warpspan::sass {

// Of these instructions of the code, in this order: Lowered::instructions.
std::vector<ir::MachineDetail> machine_details(const Code& code, const std::vector<uint32_t>& instructions);

}  // namespace warpspan::sass
