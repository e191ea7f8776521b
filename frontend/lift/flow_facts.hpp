// SPDX-License-Identifier: GPL-3.0-or-later
// Control-flow facts of a kernel, found by lifting it to LLVM IR and asking LLVM's analyses. No LLVM type crosses this
// header. docs/lifting.md explains how the lifting stays sound.
#pragma once

#include <cstdint>
#include <functional>

#include "ir/flow.hpp"
#include "ir/program.hpp"
#include "support/result.hpp"

namespace warpspan::lift {

// What is wanted of a kernel that has a loop without a trip count.
enum class OfUnbounded : uint8_t {
  all,
  loops_only,  // other facts may be missing
};

// Which lanes of a warp the facts take to execute together.
enum class Groups : uint8_t {
  as_declared,  // those that have diverged and reconverged where the body says, or else at the post-dominator of a
                // branch
  any,  // besides, those that have diverged and are in the same iterations of the loops around: wherever paths meet
};

// What else is known of the loops of a body, once they are found, and before other facts that rest on their trip
// counts. The blocks of the facts are those of the body; all other facts may still be missing.
using MoreTrips = std::function<void(ir::Flow&)>;

// The flow facts of a program's kernel. Each body is a function by itself: the parameters of shared ones, and what
// their calls get back, are unknown and may differ from lane to lane. Blocks and instructions are numbered as in the
// kernel of all bodies: those of a body behind those of the bodies before it, and so are its loops and its part of
// Flow::order. launch.block must be set. Loops whose trip count LLVM cannot bound have none, with an obstacle;
// bounds that the user gave are not applied here. Errors: arguments and buffers that name no parameter or do not fit
// it, buffers that accesses are sure to leave, irreducible control flow. more_trips: of programs with one body.
support::Result<ir::Flow> find_facts(const ir::Program& program, const ir::Launch& launch,
                                     OfUnbounded of_unbounded = OfUnbounded::all, const MoreTrips& more_trips = {},
                                     Groups groups = Groups::as_declared);

}  // namespace warpspan::lift
