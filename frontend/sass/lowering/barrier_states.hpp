// SPDX-License-Identifier: GPL-3.0-or-later
// States of barrier objects, which arrivals return and questions take.
#pragma once

#include <set>
#include <vector>

#include "frontend/sass/lowering/control_flow.hpp"
#include "frontend/sass/words/code.hpp"

namespace warpspan::sass {

// The arrivals (SYNCS.ARRIVE) of whose state the upper half, which tells the phase, is read by questions
// (SYNCS.PHASECHK) alone: what else is in it decides nothing.
std::set<const Instruction*> arrivals_only_asked_about(const Code& code, const std::vector<CodeBlock>& blocks);

}  // namespace warpspan::sass
