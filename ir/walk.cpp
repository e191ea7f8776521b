#include "ir/walk.hpp"

namespace warpspan::ir {

namespace {

bool holds(const Flow& flow, LoopId loop, BlockId block) {
  for (LoopId l = flow.blocks[block].loop; l != no_loop; l = flow.loops[l].parent) {
    if (l == loop) return true;
  }
  return false;
}

// Whether control can get from `from` to the header of a loop inside the loop, not passing `avoided`.
bool comes_back(const Kernel& kernel, const Flow& flow, LoopId loop, BlockId from, BlockId avoided) {
  std::vector<bool> seen(kernel.blocks.size(), false);
  std::vector<BlockId> open = {from};
  while (!open.empty()) {
    const BlockId block = open.back();
    open.pop_back();
    if (block == avoided || seen[block] || !holds(flow, loop, block)) continue;
    if (block == flow.loops[loop].header) return true;
    seen[block] = true;
    open.insert(open.end(), kernel.blocks[block].successors.begin(), kernel.blocks[block].successors.end());
  }
  return false;
}

// Lanes that part at `block` can be in different iterations of `loop` before they join.
bool parts_lanes(const Kernel& kernel, const Flow& flow, LoopId loop, BlockId block) {
  const BlockId join = flow.blocks[block].post_dominator;
  if (join == flow.loops[loop].header) return false;
  const std::vector<BlockId>& ways = kernel.blocks[block].successors;
  const auto back =
      std::count_if(ways.begin(), ways.end(), [&](BlockId way) { return comes_back(kernel, flow, loop, way, join); });
  // If the others wait inside the loop, one way round is enough.
  const bool join_inside = join != no_block && holds(flow, loop, join);
  return back >= (join_inside ? 1 : 2);
}

}  // namespace

std::vector<bool> loops_run_apart(const Kernel& kernel, const Flow& flow) {
  std::vector<bool> apart(flow.loops.size(), false);
  for (const BlockId block : flow.order) {
    if (!flow.blocks[block].divergent) continue;
    for (LoopId loop = flow.blocks[block].loop; loop != no_loop; loop = flow.loops[loop].parent) {
      if (!apart[loop]) apart[loop] = parts_lanes(kernel, flow, loop, block);
    }
  }
  // Lanes that have run apart in a loop join at the first post-dominator of its header outside it. If that is outside
  // the loop around it too, they run apart there as well. Children come after their parents.
  for (size_t i = flow.loops.size(); i-- > 0;) {
    const LoopId loop = static_cast<LoopId>(i);
    const LoopId parent = flow.loops[loop].parent;
    if (!apart[loop] || parent == no_loop) continue;
    BlockId join = flow.loops[loop].header;
    while (join != no_block && holds(flow, loop, join)) join = flow.blocks[join].post_dominator;
    if (join == no_block || !holds(flow, parent, join)) apart[parent] = true;
  }
  return apart;
}

}  // namespace warpspan::ir
