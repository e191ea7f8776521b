// SPDX-License-Identifier: GPL-3.0-or-later
// How the warps of a block wait for one another at barriers, and what that means for an analysis of their times.
//
// An analysis of the warps that others wait for passes from one warp to another at each barrier. Where all warps pass
// the same barriers in the same order, the intervals that it looks at make up one path through the program. Where a
// branch sends some warps around barriers that others pass, they need not: docs/model.md. The proof opens
// sync_points.cpp.
#pragma once

#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"

namespace warpspan::ir {

// Whether the operation may wait for other warps of its block: at barriers, and at the fences and waits of a warp group
// around its matrices. What a group multiplies it only arrives at (Synchronisation::arrive).
bool waits_for_warps(const Operation& operation);
bool waits_for_warps(const Kernel& kernel);  // with any of its operations
// Whether a warp does nothing more before they have come. At an mbarrier it asks again and again: its path has the
// time.
bool synchronises_warps(const Operation& operation);
// Whether it asks for a multiplication of matrices by a warp group, which goes on while the warp does.
bool multiplies_by_group(const Operation& operation);

struct SyncPoints {
  enum class Order : uint8_t {
    never,         // no warp waits for another
    in_order,      // the intervals make up a path on which the branches of both_successors take all successors
    in_any_order,  // nothing is known
  };
  Order order = Order::never;
  InstructionId cause = no_instruction;  // of in_any_order: the first barrier or branch that makes it so
  std::vector<BlockId> both_successors;  // ascending
};

// Needs of the flow facts: loops, post-dominators, BlockFlow::divergent and warps_differ, Flow::partial_barriers.
SyncPoints find_sync_points(const Kernel& kernel, const Flow& flow);

}  // namespace warpspan::ir
