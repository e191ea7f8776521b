// SPDX-License-Identifier: GPL-3.0-or-later
// Desynchronized loops. Lanes that diverge at block A go on in one group for each successor, until they reconverge at
// J, the immediate post-dominator of A. Let L be a loop around A, H its header. A group that comes to H without passing
// J starts another iteration while the others are in this one.
// - J outside L: the others either come to H as well, as a group of their own, or have left L and wait. If two
//   successors lead back, two groups are in L, each with iterations of its own, and each may divide again. If one does,
//   or none, all lanes that are still in L are in the same iteration.
// - J inside L: the others wait there for those that came to H, and all go on in one group with different counts.
// Lanes that have become desynchronized in L reconverge at the first post-dominator of H outside L; if that is outside
// the loop around L too, that one is desynchronized as well.
//
// Crowded regions. Without regard to conditions let c(A) be the most groups that execute one block between A and J, if
// one group comes to A. A path without another divergent branch has 1, otherwise the most of its branches. If no block
// can be reached from two successors, c(A) is the most of their paths, otherwise at most the sum. Counted in reverse
// order of the blocks; edges back to a header are left out, since groups in several iterations are what the first part
// is about.
#include "ir/lane_groups.hpp"

#include <algorithm>
#include <map>

#include "ir/sizes.hpp"

namespace warpspan::ir {

namespace {

class Finder {
 public:
  Finder(const Kernel& kernel, const Flow& flow)
      : kernel_(kernel), flow_(flow), seen_(kernel.blocks.size(), 0), rank_(kernel.blocks.size(), 0) {
    for (size_t i = 0; i < flow.order.size(); ++i) rank_[flow.order[i]] = i;
    successors_.resize(kernel.blocks.size());
    predecessors_.resize(kernel.blocks.size());
    for (const BlockId block : flow.order) {
      successors_[block] = successors_of(kernel, flow, block);
      for (const BlockId successor : kernel.blocks[block].successors) predecessors_[successor].push_back(block);
    }
    groups_.lanes_may_desynchronize.assign(flow.loops.size(), false);
    groups_.crowded.assign(kernel.blocks.size(), false);
  }

  LaneGroups run() {
    for (const BlockId block : flow_.order) {
      if (flow_.blocks[block].divergent && flow_.blocks[block].loop != no_loop) desynchronize(block);
    }
    spread_outwards();
    groups_at_.assign(kernel_.blocks.size(), 1);
    for (auto block = flow_.order.rbegin(); block != flow_.order.rend(); ++block) {
      if (flow_.blocks[*block].divergent) count_groups(*block);
    }
    return std::move(groups_);
  }

 private:
  void desynchronize(BlockId block);
  void spread_outwards();
  void count_groups(BlockId block);
  int64_t groups_on(BlockId successor, BlockId reconvergence);
  bool may_share_blocks(BlockId block, const std::vector<BlockId>& successors);
  bool is_forward(BlockId from, BlockId to) const { return to != no_block && rank_[to] > rank_[from]; }

  const Kernel& kernel_;
  const Flow& flow_;
  LaneGroups groups_;
  std::vector<std::vector<BlockId>> successors_, predecessors_;
  std::vector<uint32_t> seen_;  // by block: the search that came there last
  uint32_t search_ = 0;
  std::vector<size_t> rank_;
  std::vector<int64_t> groups_at_;  // c of the divergent branches, at most lanes + 1
  std::map<std::pair<BlockId, BlockId>, int64_t> groups_on_;
};

void Finder::desynchronize(BlockId block) {
  const BlockId reconvergence = flow_.blocks[block].reconvergence;
  LoopId outermost = flow_.blocks[block].loop;
  while (flow_.loops[outermost].parent != no_loop) outermost = flow_.loops[outermost].parent;
  std::map<LoopId, int> coming_back;
  for (const BlockId successor : successors_[block]) {
    ++search_;
    std::vector<BlockId> open = {successor};
    while (!open.empty()) {
      const BlockId next = open.back();
      open.pop_back();
      if (next == no_block || next == reconvergence || seen_[next] == search_ || !contains(flow_, outermost, next)) {
        continue;
      }
      seen_[next] = search_;
      open.insert(open.end(), successors_[next].begin(), successors_[next].end());
    }
    for (LoopId loop = flow_.blocks[block].loop; loop != no_loop; loop = flow_.loops[loop].parent) {
      if (seen_[flow_.loops[loop].header] == search_) ++coming_back[loop];
    }
  }
  for (const auto& [loop, successors] : coming_back) {
    const bool waits_inside = reconvergence != no_block && contains(flow_, loop, reconvergence);
    if (successors >= (waits_inside ? 1 : 2)) groups_.lanes_may_desynchronize[loop] = true;
  }
}

// Children come after their parents.
void Finder::spread_outwards() {
  for (size_t i = flow_.loops.size(); i-- > 0;) {
    const LoopId loop = static_cast<LoopId>(i);
    const LoopId parent = flow_.loops[loop].parent;
    if (!groups_.lanes_may_desynchronize[loop] || parent == no_loop) continue;
    BlockId reconvergence = flow_.loops[loop].header;
    while (reconvergence != no_block && contains(flow_, loop, reconvergence))
      reconvergence = flow_.blocks[reconvergence].reconvergence;
    if (reconvergence == no_block || !contains(flow_, parent, reconvergence))
      groups_.lanes_may_desynchronize[parent] = true;
  }
}

// c on the paths from a successor to the reconvergence point: over their divergent branches, passing by what lies
// between each of these and its own reconvergence point.
int64_t Finder::groups_on(BlockId successor, BlockId reconvergence) {
  const auto [known, fresh] = groups_on_.emplace(std::make_pair(successor, reconvergence), 1);
  if (!fresh) return known->second;
  ++search_;
  int64_t most = 1;
  std::vector<BlockId> open = {successor};
  while (!open.empty()) {
    const BlockId block = open.back();
    open.pop_back();
    if (block == reconvergence || block == no_block || seen_[block] == search_) continue;
    seen_[block] = search_;
    const bool divides = flow_.blocks[block].divergent;
    if (divides) most = std::max(most, groups_at_[block]);
    const std::vector<BlockId> next = divides ? std::vector{flow_.blocks[block].reconvergence} : successors_[block];
    for (const BlockId target : next) {
      if (is_forward(block, target)) open.push_back(target);
    }
  }
  return known->second = most;
}

// Whether a block might be reached from two of the successors. They are searched round-robin, so that the work is that
// of the shorter searches: one that has ended without coming to a block of another, and into which no edge leads from
// elsewhere, is by itself.
bool Finder::may_share_blocks(BlockId block, const std::vector<BlockId>& successors) {
  std::map<BlockId, size_t> owner;
  std::vector<std::vector<BlockId>> open(successors.size());
  std::vector<std::vector<BlockId>> visited(successors.size());
  const BlockId reconvergence = flow_.blocks[block].reconvergence;
  const auto reach = [&](size_t successor, BlockId target) {
    if (target == reconvergence || target == no_block) return true;
    const auto [known, fresh] = owner.emplace(target, successor);
    if (fresh) open[successor].push_back(target);
    return known->second == successor;
  };
  for (size_t i = 0; i < successors.size(); ++i) {
    if (!reach(i, successors[i])) return true;
  }
  for (size_t left = successors.size(); left > 1;) {
    left = 0;
    for (size_t i = 0; i < successors.size(); ++i) {
      if (open[i].empty()) continue;
      const BlockId at = open[i].back();
      open[i].pop_back();
      visited[i].push_back(at);
      for (const BlockId target : successors_[at]) {
        if (is_forward(at, target) && !reach(i, target)) return true;
      }
      if (!open[i].empty()) ++left;
    }
  }
  for (size_t i = 0; i < successors.size(); ++i) {
    if (!open[i].empty()) continue;
    for (const BlockId at : visited[i]) {
      for (const BlockId from : predecessors_[at]) {
        const auto known = owner.find(from);
        if (is_forward(from, at) && from != block && (known == owner.end() || known->second != i)) return true;
      }
    }
  }
  return false;
}

void Finder::count_groups(BlockId block) {
  const BlockId reconvergence = flow_.blocks[block].reconvergence;
  std::vector<BlockId> successors = successors_[block];
  std::erase_if(successors, [&](BlockId successor) {
    return successor == reconvergence || successor == no_block || !is_forward(block, successor);
  });
  int64_t most = 1;
  int64_t sum = 0;
  for (const BlockId successor : successors) {
    const int64_t groups = groups_on(successor, reconvergence);
    most = std::max(most, groups);
    sum += groups;
  }
  const bool share = successors.size() > 1 && sum > most && may_share_blocks(block, successors);
  const int64_t groups = share ? sum : most;
  groups_.crowded[block] = share && groups > warp_lanes;
  groups_at_[block] = std::min(groups, warp_lanes);
}

}  // namespace

LaneGroups find_lane_groups(const Kernel& kernel, const Flow& flow) { return Finder(kernel, flow).run(); }

std::shared_ptr<const LaneGroups> lane_groups_of(const Kernel& kernel, const Flow& flow) {
  return flow.lane_groups != nullptr ? flow.lane_groups
                                     : std::make_shared<const LaneGroups>(find_lane_groups(kernel, flow));
}

std::vector<BlockId> successors_of(const Kernel& kernel, const Flow& flow, BlockId block) {
  std::vector<BlockId> successors = kernel.blocks[block].successors;
  std::erase_if(successors, [&flow](BlockId successor) { return !flow.blocks[successor].executed; });
  if (kernel.blocks[block].may_end) successors.push_back(no_block);
  return successors;
}

namespace {

// Whether the block may send lanes to more than one successor in which they have something to execute.
template <typename Counts>
bool sends_lanes(const Kernel& kernel, const Flow& flow, BlockId block, const Counts& counts) {
  if (!flow.blocks[block].divergent) return false;
  const std::vector<BlockId> successors = successors_of(kernel, flow, block);
  return std::count_if(successors.begin(), successors.end(), [&](BlockId successor) {
           return successor != flow.blocks[block].reconvergence && counts(successor);
         }) > 1;
}

}  // namespace

bool divides_lanes(const Kernel& kernel, const Flow& flow, BlockId block) {
  return sends_lanes(kernel, flow, block, [](BlockId) { return true; });
}

bool runs_apart(const Kernel& kernel, const Flow& flow, BlockId block) {
  return sends_lanes(kernel, flow, block, [&kernel](BlockId successor) {
    return successor == no_block || !kernel.blocks[successor].only_ends;
  });
}

bool contains(const Flow& flow, LoopId loop, BlockId block) {
  if (loop == no_loop) return true;
  LoopId l = flow.blocks[block].loop;
  while (l != no_loop && l != loop) l = flow.loops[l].parent;
  return l == loop;
}

}  // namespace warpspan::ir
