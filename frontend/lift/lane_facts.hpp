// SPDX-License-Identifier: GPL-3.0-or-later
// What lanes of a warp do: where they diverge, what their accesses touch, how many of them come to a block.
#pragma once

#include "frontend/lift/lifted_body.hpp"

namespace warpspan::lift {

// Fills in the transactions and accesses of the facts, and of blocks whether they are divergent and their warps; of
// copies, which must be there, the lanes; and partial barriers, those with guards. The loops must have been found, as
// in `loops`.
void find_lane_facts(LiftedBody& of, const LoopIds& loops, ir::Flow& flow);

}  // namespace warpspan::lift
