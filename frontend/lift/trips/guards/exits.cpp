// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/trips/guards/exits.hpp"

namespace warpspan::lift {

std::vector<Exit> exits_of_every_iteration(const llvm::Loop& loop, const llvm::DominatorTree& dominators) {
  std::vector<Exit> exits;
  if (loop.getLoopLatch() == nullptr) return exits;
  llvm::SmallVector<llvm::BasicBlock*, 8> exiting;
  loop.getExitingBlocks(exiting);
  for (const llvm::BasicBlock* block : exiting) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (branch == nullptr || !branch->isConditional() || !dominators.dominates(block, loop.getLoopLatch())) continue;
    exits.push_back({block, branch->getCondition(), loop.contains(branch->getSuccessor(0))});
  }
  return exits;
}

}  // namespace warpspan::lift
