// SPDX-License-Identifier: GPL-3.0-or-later
// How often the loops of a body run, by all methods of ir/trip_methods.def.
#pragma once

#include "frontend/lift/lifted_body.hpp"

namespace warpspan::lift {

// Fills in the loops of the facts, parents before their children, and returns where they are. Loops without a trip
// count have an obstacle and remedies. Blocks that prove not to be executed become dead. flow.order and the reachable
// blocks of flow.blocks must be there; the loops of blocks are filled in too.
LoopIds find_loops(LiftedBody& of, ir::Flow& flow);

}  // namespace warpspan::lift
