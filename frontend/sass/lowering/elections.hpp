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
// Theorem 2. Let P be taken by an instruction whose guard is Q, which leaves P to no lane with Q and reads nothing
// else, and let an election under P have written Q last, which reads nothing but its guard. Where at most n lanes of a
// warp have P when the body begins the first time, n > 0, it runs at most n times. Proof. From which lanes P is taken
// depends on nothing but which lanes have it and execute the body. If the first time took it from none, the second
// would take it from none either, against the first theorem. So each time that another follows takes it from one of n
// lanes at least. QED
//
// Neither asks which lanes get Q from an election, or from R2UR: those with the value of one, or the others.
//
// That it ends is assumed: ptxas makes these loops, and nothing that a program does keeps them from ending.
#pragma once

#include <vector>

#include "frontend/sass/lowering/control_flow.hpp"
#include "ir/flow.hpp"

namespace warpspan::sass {

// Gives such loops a trip count, for all lanes of a warp. flow: of a program with these blocks.
void add_elections(const Code& code, const std::vector<CodeBlock>& blocks, ir::Flow& flow);
// The same by Theorem 2, of loops with bulk copies, from how many lanes ask for these. steps: what flow is of, with
// these blocks.
void limit_elections(const Code& code, const std::vector<CodeBlock>& blocks, const ir::Kernel& steps, ir::Flow& flow);

}  // namespace warpspan::sass
