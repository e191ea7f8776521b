// SPDX-License-Identifier: GPL-3.0-or-later
// The control flow of a kernel as LLVM blocks without instructions, and its loops.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>

#include <vector>

#include "ir/kernel.hpp"

namespace llvm {
class LoopInfo;
class DominatorTree;
}  // namespace llvm

namespace warpspan::lift {

// The LLVM function has blocks that are none of the kernel's: an entry, one exit, a block before the switch of a
// guarded indexed branch, and those that normalize_loops and cut_guard_chains add.
struct FlowGraph {
  std::vector<llvm::BasicBlock*> blocks;  // by ir::BlockId; null for blocks that cannot be reached
  std::vector<bool> reachable;            // by ir::BlockId
  llvm::BasicBlock* exit = nullptr;
  llvm::DenseMap<const llvm::BasicBlock*, ir::BlockId> ids;

  ir::BlockId id(const llvm::BasicBlock* block) const;  // ir::no_block if it is none of the kernel's
};

// Makes the blocks and their terminators in an empty function; conditions are constants until set_condition.
FlowGraph make_flow_graph(const ir::Kernel& kernel, llvm::Function& lifted);

// Makes the guard of the branch, return or exit that ends the block decide; a null index where it is no indexed branch.
void set_condition(const FlowGraph& graph, ir::BlockId block, llvm::Value* guard, llvm::Value* index);

// An entry of a cycle: control comes from a block outside of it to one inside.
struct CycleEntry {
  ir::BlockId from = 0;
  ir::BlockId to = 0;
};
// The entries of a cycle that has several first blocks, in the order of the first blocks and of where control comes
// from; nothing if there is no such cycle.
std::vector<CycleEntry> find_irreducible(const FlowGraph& graph, llvm::Function& lifted,
                                         const llvm::DominatorTree& dominators);

// Gives every loop one edge that enters it and one that goes back. Dominators and loops have to be computed anew.
void normalize_loops(const llvm::LoopInfo& loops);

}  // namespace warpspan::lift
