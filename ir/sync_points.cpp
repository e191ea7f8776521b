// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Let each barrier of a kernel be one at which all warps of the block synchronise that have not ended. Let the
// joining block of a branch be where its lanes reconverge if those of a warp may take different successors, and its
// immediate post-dominator otherwise. Let a branch be critical if warps of a block may take different successors there,
// and a barrier can be reached from it before its joining block. Let each critical branch be in no loop and in no
// function that calls share, let barriers be reachable from one of its successors only, and let it have no joining
// block, or one behind which a warp does nothing but end. Then the intervals that are analysed, from a warp's end back
// to the synchronisation on which it waited, then back along the warp that came to this one last, and so on, make up a
// part of one path on which critical branches take all their successors.
//
// Proof. A synchronisation ends when each warp has come to a barrier, or has ended, so that those of a block are
// numbered, and in the intervals before the i-th one all warps that have not ended have passed i - 1. Warps that take
// different successors of a branch that is not critical pass as many synchronisations until its joining block, namely
// none if it was left for good, and are between the same two then. A warp that takes the successor of a critical
// branch from which no barrier is reached passes none any more: it is between two synchronisations until it ends. So
// all others are, between two synchronisations, in the same part of the program, up to successors of branches that are
// not critical. Of those that leave at a critical branch at most one is analysed, as no synchronisation comes after: it
// is analysed from the one before the branch, or from the start, to its end, which another warp may wait for. What it
// does behind the branch is the path of one successor, taken once, and its end, if the joining block is not that
// of the kernel: but an instruction that only ends a warp is issued when that path has been passed, and no later than
// the barrier at which the other waits, which on the path comes behind it. All else is intervals of the other
// successor's path, in their order. QED.
//
// A guard on which all threads of the block agree makes of its barrier a branch that is not critical.
//
// The same is true where only the four warps of a warp group synchronise, at a fence or a wait around its matrices: the
// warp that came last is one of these, and has passed as many synchronisations. What a group multiplies is begun when
// the last of its warps has asked for it: that warp is looked at from there on, between the same two synchronisations.
//
// Paths that lanes of a warp take one after another are paths that the warp takes, so the same is required of them.
#include "ir/sync_points.hpp"

#include <algorithm>

namespace warpspan::ir {

bool multiplies_by_group(const Operation& operation) {
  return operation.kind == OperationKind::matrix_group && operation.facts.synchronisation == Synchronisation::arrive;
}

bool waits_for_warps(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::barrier:
    case OperationKind::cluster_barrier:
    case OperationKind::mbarrier: return true;
    case OperationKind::matrix_group: return !multiplies_by_group(operation);
    default: return false;
  }
}

bool waits_for_warps(const Kernel& kernel) {
  return std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                     [&](const Instruction& i) { return waits_for_warps(kernel.operation(i)); });
}

bool synchronises_warps(const Operation& operation) {
  return waits_for_warps(operation) && operation.kind != OperationKind::mbarrier;
}

namespace {

class Finder {
 public:
  Finder(const Kernel& kernel, const Flow& flow)
      : kernel_(kernel), flow_(flow), own_(kernel.blocks.size(), true), seen_(kernel.blocks.size(), 0) {}

  SyncPoints run() {
    SyncPoints found;
    if (!waits_for_warps(kernel_)) return found;
    found.order = SyncPoints::Order::in_order;
    if (!flow_.partial_barriers.empty()) {
      found.order = SyncPoints::Order::in_any_order;
      found.cause = flow_.partial_barriers.front();
      return found;
    }
    find_barriers();
    find_functions();
    find_paths_to_barriers();
    for (BlockId block = 0; block < kernel_.blocks.size(); ++block) {
      const BlockFlow& facts = flow_.blocks[block];
      if (!facts.reachable || !(facts.divergent || facts.warps_differ) || !is_critical(block)) continue;
      if (takes_both_successors(block)) {
        found.both_successors.push_back(block);
        continue;
      }
      found.order = SyncPoints::Order::in_any_order;
      found.cause = kernel_.blocks[block].first + kernel_.blocks[block].count - 1;
      break;
    }
    return found;
  }

 private:
  void find_barriers();
  void find_functions();
  void find_paths_to_barriers();
  BlockId joining_block(BlockId block) const;
  bool is_critical(BlockId block);
  bool takes_both_successors(BlockId block) const;
  bool only_ends(BlockId block) const;

  const Kernel& kernel_;
  const Flow& flow_;
  std::vector<bool> own_;           // by block: of the kernel itself, and not of a function
  std::vector<bool> synchronises_;  // by block: warps synchronise in it
  std::vector<bool> reaches_;       // by block: they may synchronise in it or later
  std::vector<uint32_t> seen_;      // by block: the search that came there last
  uint32_t search_ = 0;
};

void Finder::find_barriers() {
  synchronises_.assign(kernel_.blocks.size(), false);
  for (BlockId block = 0; block < kernel_.blocks.size(); ++block) {
    for (uint32_t i = 0; i < kernel_.blocks[block].count; ++i) {
      const Instruction& instruction = kernel_.instructions[kernel_.blocks[block].first + i];
      if (synchronises_warps(kernel_.operation(instruction))) synchronises_[block] = true;
    }
  }
}

// Marks their blocks, and that warps synchronise where one is called in which they do.
void Finder::find_functions() {
  std::vector<bool> function_synchronises;
  const auto add_calls = [&] {
    for (BlockId block = 0; block < kernel_.blocks.size(); ++block) {
      const FunctionId callee = kernel_.blocks[block].callee;
      if (callee < function_synchronises.size() && function_synchronises[callee]) synchronises_[block] = true;
    }
  };
  for (const Function& function : kernel_.functions) {  // behind those that it calls
    std::vector<BlockId> open = {function.entry};
    bool synchronises = false;
    while (!open.empty()) {
      const BlockId block = open.back();
      open.pop_back();
      if (!own_[block]) continue;
      own_[block] = false;
      synchronises = synchronises || synchronises_[block];
      open.insert(open.end(), kernel_.blocks[block].successors.begin(), kernel_.blocks[block].successors.end());
    }
    function_synchronises.push_back(synchronises);
    add_calls();
  }
}

void Finder::find_paths_to_barriers() {
  std::vector<std::vector<BlockId>> predecessors(kernel_.blocks.size());
  std::vector<BlockId> open;
  for (BlockId block = 0; block < kernel_.blocks.size(); ++block) {
    for (const BlockId next : kernel_.blocks[block].successors) predecessors[next].push_back(block);
    if (synchronises_[block]) open.push_back(block);
  }
  reaches_ = synchronises_;
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

BlockId Finder::joining_block(BlockId block) const {
  const BlockFlow& facts = flow_.blocks[block];
  return facts.divergent ? facts.reconvergence : facts.post_dominator;
}

// Whether warps may synchronise behind the block before its joining block.
bool Finder::is_critical(BlockId block) {
  ++search_;
  const BlockId joining = joining_block(block);
  std::vector<BlockId> open = kernel_.blocks[block].successors;
  while (!open.empty()) {
    const BlockId next = open.back();
    open.pop_back();
    if (next == joining || seen_[next] == search_ || !reaches_[next]) continue;
    if (synchronises_[next]) return true;
    seen_[next] = search_;
    open.insert(open.end(), kernel_.blocks[next].successors.begin(), kernel_.blocks[next].successors.end());
  }
  return false;
}

bool Finder::takes_both_successors(BlockId block) const {
  if (flow_.blocks[block].loop != no_loop || !own_[block]) return false;
  const BlockId joining = joining_block(block);
  if (joining != no_block && !only_ends(joining)) return false;
  std::vector<BlockId> successors = kernel_.blocks[block].successors;
  std::sort(successors.begin(), successors.end());
  successors.erase(std::unique(successors.begin(), successors.end()), successors.end());
  return std::count_if(successors.begin(), successors.end(),
                       [this](BlockId successor) { return reaches_[successor]; }) == 1;
}

bool Finder::only_ends(BlockId block) const {
  const Block& b = kernel_.blocks[block];
  return b.count == 1 && b.successors.empty() && b.transfer.leaves();
}

}  // namespace

SyncPoints find_sync_points(const Kernel& kernel, const Flow& flow) { return Finder(kernel, flow).run(); }

}  // namespace warpspan::ir
