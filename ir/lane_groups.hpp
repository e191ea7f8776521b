// SPDX-License-Identifier: GPL-3.0-or-later
// Where the lanes of a warp fall into groups that execute the same code one after another.
#pragma once

#include <memory>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"

namespace warpspan::ir {

struct LaneGroups {
  // By loop: its lanes may be in different iterations. Lanes diverge in it and come back to its header without having
  // reconverged: a break or a continue under a divergent condition.
  std::vector<bool> lanes_may_desynchronize;
  // By block: it ends in a divergent branch, and before the lanes reconverge more groups than a warp has lanes might
  // execute the same block, going by the graph alone. There are no more groups than lanes.
  std::vector<bool> crowded;
};

LaneGroups find_lane_groups(const Kernel& kernel, const Flow& flow);

// Flow::lane_groups, found now if they were not.
std::shared_ptr<const LaneGroups> lane_groups_of(const Kernel& kernel, const Flow& flow);

// Where control can go at the end of a block that is executed: not to those that are not; no_block: the end of the
// kernel or of its function.
std::vector<BlockId> successors_of(const Kernel& kernel, const Flow& flow, BlockId block);

// Whether lanes may diverge at the end of the block with something to execute behind more than one successor.
bool divides_lanes(const Kernel& kernel, const Flow& flow, BlockId block);
// The same, without blocks of which all that they take has been charged before the branch (Block::only_ends).
bool runs_apart(const Kernel& kernel, const Flow& flow, BlockId block);

// Whether the block is in the loop or one inside it; every block is in no_loop.
bool contains(const Flow& flow, LoopId loop, BlockId block);

}  // namespace warpspan::ir
