// SPDX-License-Identifier: GPL-3.0-or-later
// Loops in which the lanes of a warp are served one after another, or those with one value together, since the unit
// that serves them takes uniform registers: bulk copies, textures.
//
//   L:  @P ELECT Q, ...          or R2UR Q, ...: of the lanes with P, one is elected, or those with the value of one
//       ...                      what is done for them
//       @Q PLOP3.LUT P, ...      they no longer have P
//       PLOP3.LUT Q, PT, PT, PT  Q is constant
//       @P BRA.U.ANY L           all go on as long as any lane has P
//
// Theorem. Let such a body be one block, in which one instruction writes P, and gives it to no lane; let all predicates
// that it writes follow from predicates, elections and general registers that it does not write; and let those but P be
// constant at its end. If the loop ends, its body runs at most 33 times. Proof. The lanes of the warp stay
// together, as the branch is taken by all of them or none. After the first time the body begins with
// the same values but for P: where no lane has lost P, it does the same once more, and for ever. So from the second
// time on each takes P from one of at most 32 lanes.
//
// Corollary. Where at most n lanes of a warp come to the loop together it runs at most n + 1 times: flow analysis tells
// how many ask for a bulk copy at once (ir::BulkCopy).
//
// That it ends is assumed: ptxas makes these loops, and nothing that a program does keeps them from ending.
#pragma once

#include <vector>

#include "frontend/sass/lowering/control_flow.hpp"
#include "ir/flow.hpp"

namespace warpspan::sass {

// Gives such loops a trip count, for all lanes of a warp. flow: of a program with these blocks.
void add_elections(const Code& code, const std::vector<CodeBlock>& blocks, ir::Flow& flow);

}  // namespace warpspan::sass
