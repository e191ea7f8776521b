// Loops in which the lanes of a warp are served one after another, since the unit that serves them takes uniform
// registers: bulk copies and their like.
//
//   L:  @P ELECT Q, ...        one of the lanes with P gets a true Q
//       ...                    what is done for it
//       @Q PLOP3.LUT P = false
//       @P BRA.U.ANY L         all go on as long as any has P
//
// Theorem. The body of such a loop, which is one block, runs at most as often as lanes have P when it is entered, and
// once if none has. Proof. The lanes of the warp stay together, as the branch is taken by all of them or none. A body
// that begins with lanes that have P elects one of them, takes P from it and from no other, and nothing else writes P.
#pragma once

#include <vector>

#include "frontend/sass/lowering/control_flow.hpp"
#include "ir/flow.hpp"

namespace warpspan::sass {

// Gives such loops a trip count, for all lanes of a warp. flow: of a program with these blocks.
void add_elections(const Code& code, const std::vector<CodeBlock>& blocks, ir::Flow& flow);

}  // namespace warpspan::sass
