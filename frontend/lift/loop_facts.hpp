// How often the loops of a body run, by all ways there are to find out.
#pragma once

#include "frontend/lift/lifted_body.hpp"

namespace warpspan::lift {

// Fills in the loops of the facts, parents before their children, and tells where they stand. Loops without a trip
// count have an obstacle and remedies. Blocks that turn out not to be executed become dead. flow.order and what
// flow.blocks say of reachable blocks must be there; the loops of blocks are filled in too.
LoopIds find_loops(LiftedBody& of, ir::Flow& flow);

}  // namespace warpspan::lift
