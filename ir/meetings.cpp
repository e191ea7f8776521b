// Theorem. Let each barrier of a kernel be one at which all warps of the block meet that have not ended. Let a branch
// be critical if warps of a block may go different ways there, and a barrier can be reached from it before its join,
// the immediate post-dominator. Let each critical branch be in no loop and in no function that calls share, let
// barriers be reachable by one of its ways only, and let it have no join, or one behind which a warp does nothing but
// end. Then the pieces that are followed, from a warp's end back to the meeting on which it waited, then back along the
// warp that came to this meeting last, and so on, make up a part of one path on which critical branches take all their
// ways.
//
// Proof. A meeting ends when each warp has come to a barrier, or has ended, so that the meetings of a block are
// numbered, and in the pieces before the i-th one all warps that have not ended have passed i - 1. Warps that pass a
// branch that is not critical on different ways pass as many meetings until its join, namely none if it was left for
// good, and are between the same two then. A warp that takes the way of a critical branch on which there is no barrier
// passes none any more: it is between two meetings until it ends. So all others are, between two meetings, in the same
// piece of the program, up to ways of branches that are not critical. Of those that leave at a critical branch at most
// one is followed, as no meeting comes after: it is followed from the meeting before the branch, or from the start, to
// its end, which another warp may wait for. What it does behind the branch is one of the branch's ways, taken once, and
// its end, if the join is not that of the kernel: but an instruction that only ends a warp is issued when the way has
// been gone, and no later than the barrier at which the other waits, which on the path comes behind the way. All else
// is pieces of the other way, in their order. QED.
//
// Ways that lanes of a warp take one after another are ways that the warp takes, so for them the same must hold.
#include "ir/meetings.hpp"

#include <algorithm>

namespace warpspan::ir {

bool waits_for_warps(OperationKind kind) {
  using enum OperationKind;
  return kind == barrier || kind == cluster_barrier || kind == mbarrier;
}

bool waits_for_warps(const Kernel& kernel) {
  return std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                     [&](const Instruction& i) { return waits_for_warps(kernel.operation(i).kind); });
}

bool meets_warps(OperationKind kind) { return waits_for_warps(kind) && kind != OperationKind::mbarrier; }

namespace {

class Finder {
 public:
  Finder(const Kernel& kernel, const Flow& flow)
      : kernel_(kernel), flow_(flow), own_(kernel.blocks.size(), true), seen_(kernel.blocks.size(), 0) {}

  Meetings run() {
    Meetings found;
    if (!waits_for_warps(kernel_)) return found;
    found.order = Meetings::Order::in_order;
    if (!flow_.partial_barriers.empty()) {
      found.order = Meetings::Order::in_any_order;
      found.cause = flow_.partial_barriers.front();
      return found;
    }
    find_barriers();
    find_functions();
    find_ways_to_barriers();
    for (BlockId block = 0; block < kernel_.blocks.size(); ++block) {
      const BlockFlow& facts = flow_.blocks[block];
      if (!facts.reachable || !(facts.divergent || facts.warps_differ) || !is_critical(block)) continue;
      if (takes_both_ways(block)) {
        found.both_ways.push_back(block);
        continue;
      }
      found.order = Meetings::Order::in_any_order;
      found.cause = kernel_.blocks[block].first + kernel_.blocks[block].count - 1;
      break;
    }
    return found;
  }

 private:
  void find_barriers();
  void find_functions();
  void find_ways_to_barriers();
  bool is_critical(BlockId block);
  bool takes_both_ways(BlockId block) const;
  bool only_ends(BlockId block) const;

  const Kernel& kernel_;
  const Flow& flow_;
  std::vector<bool> own_;       // by block: of the kernel itself, and not of a function
  std::vector<bool> meets_;     // by block: warps meet in it
  std::vector<bool> reaches_;   // by block: they may meet in it or later
  std::vector<uint32_t> seen_;  // by block: the search that came there last
  uint32_t search_ = 0;
};

void Finder::find_barriers() {
  meets_.assign(kernel_.blocks.size(), false);
  for (BlockId block = 0; block < kernel_.blocks.size(); ++block) {
    for (uint32_t i = 0; i < kernel_.blocks[block].count; ++i) {
      const Instruction& instruction = kernel_.instructions[kernel_.blocks[block].first + i];
      if (meets_warps(kernel_.operation(instruction).kind)) meets_[block] = true;
    }
  }
}

// Marks their blocks, and that warps meet where one is called in which they do.
void Finder::find_functions() {
  std::vector<bool> meets_in_function;
  const auto add_calls = [&] {
    for (BlockId block = 0; block < kernel_.blocks.size(); ++block) {
      const FunctionId callee = kernel_.blocks[block].callee;
      if (callee < meets_in_function.size() && meets_in_function[callee]) meets_[block] = true;
    }
  };
  for (const Function& function : kernel_.functions) {  // behind those that it calls
    std::vector<BlockId> open = {function.entry};
    bool meets = false;
    while (!open.empty()) {
      const BlockId block = open.back();
      open.pop_back();
      if (!own_[block]) continue;
      own_[block] = false;
      meets = meets || meets_[block];
      open.insert(open.end(), kernel_.blocks[block].successors.begin(), kernel_.blocks[block].successors.end());
    }
    meets_in_function.push_back(meets);
    add_calls();
  }
}

void Finder::find_ways_to_barriers() {
  std::vector<std::vector<BlockId>> predecessors(kernel_.blocks.size());
  std::vector<BlockId> open;
  for (BlockId block = 0; block < kernel_.blocks.size(); ++block) {
    for (const BlockId next : kernel_.blocks[block].successors) predecessors[next].push_back(block);
    if (meets_[block]) open.push_back(block);
  }
  reaches_ = meets_;
  while (!open.empty()) {
    const BlockId block = open.back();
    open.pop_back();
    for (const BlockId before : predecessors[block]) {
      if (reaches_[before]) continue;
      reaches_[before] = true;
      open.push_back(before);
    }
  }
}

// Whether warps may meet behind the block before its join.
bool Finder::is_critical(BlockId block) {
  ++search_;
  const BlockId join = flow_.blocks[block].post_dominator;
  std::vector<BlockId> open = kernel_.blocks[block].successors;
  while (!open.empty()) {
    const BlockId next = open.back();
    open.pop_back();
    if (next == join || seen_[next] == search_ || !reaches_[next]) continue;
    if (meets_[next]) return true;
    seen_[next] = search_;
    open.insert(open.end(), kernel_.blocks[next].successors.begin(), kernel_.blocks[next].successors.end());
  }
  return false;
}

bool Finder::takes_both_ways(BlockId block) const {
  if (flow_.blocks[block].loop != no_loop || !own_[block]) return false;
  const BlockId join = flow_.blocks[block].post_dominator;
  if (join != no_block && !only_ends(join)) return false;
  std::vector<BlockId> ways = kernel_.blocks[block].successors;
  std::sort(ways.begin(), ways.end());
  ways.erase(std::unique(ways.begin(), ways.end()), ways.end());
  return std::count_if(ways.begin(), ways.end(), [this](BlockId way) { return reaches_[way]; }) == 1;
}

bool Finder::only_ends(BlockId block) const {
  const Block& b = kernel_.blocks[block];
  return b.count == 1 && b.successors.empty() && b.transfer.leaves();
}

}  // namespace

Meetings find_meetings(const Kernel& kernel, const Flow& flow) { return Finder(kernel, flow).run(); }

}  // namespace warpspan::ir
