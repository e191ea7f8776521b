// SPDX-License-Identifier: GPL-3.0-or-later
// Every path to a block that `first` dominates leads through `first`, so none of them is executed, and neither is an
// edge from one of them to another block. What a phi would get by such an edge may therefore be anything: poison, which
// lets LLVM choose the value that comes by the other edges.
#include "frontend/lift/rewrites/dead_blocks.hpp"

#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Module.h>

#include "frontend/lift/rewrites/masks.hpp"

namespace warpspan::lift {

namespace {

void drop_edge(llvm::PHINode& phi, const llvm::BasicBlock& from, const llvm::SimplifyQuery& query,
               const std::function<void(llvm::PHINode&)>& changes) {
  changes(phi);
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    if (phi.getIncomingBlock(i) == &from) phi.setIncomingValue(i, llvm::PoisonValue::get(phi.getType()));
  }
  llvm::Value* only = llvm::simplifyInstruction(&phi, query);
  if (only == nullptr || llvm::isa<llvm::UndefValue>(only)) return;
  const llvm::SmallVector<llvm::User*, 8> users(phi.users());
  phi.replaceAllUsesWith(only);
  // What is left of a count may now be seen to be a multiple.
  for (llvm::User* user : users) {
    auto& instruction = *llvm::cast<llvm::Instruction>(user);
    if (llvm::Value* cleared = cleared_bits(instruction)) instruction.replaceAllUsesWith(cleared);
  }
}

}  // namespace

void mark_dead(llvm::BasicBlock& first, const llvm::DominatorTree& dominators, BlockSet& dead,
               const std::function<void(llvm::PHINode&)>& changes) {
  const llvm::SimplifyQuery query(first.getModule()->getDataLayout(), nullptr, &dominators);
  llvm::SmallVector<llvm::BasicBlock*, 8> blocks;
  dominators.getDescendants(&first, blocks);
  dead.insert(blocks.begin(), blocks.end());
  for (llvm::BasicBlock* block : blocks) {
    for (llvm::BasicBlock* next : llvm::successors(block)) {
      if (dead.contains(next)) continue;
      for (llvm::PHINode& phi : next->phis()) drop_edge(phi, *block, query, changes);
    }
  }
}

}  // namespace warpspan::lift
