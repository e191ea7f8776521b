// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/translation/flow_graph.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <utility>

#include "ir/flow.hpp"

namespace warpspan::lift {

namespace {

std::vector<bool> find_reachable(const ir::Kernel& kernel) {
  std::vector<bool> reached(kernel.blocks.size(), false);
  std::vector<ir::BlockId> work;
  if (!reached.empty()) work.push_back(0);
  while (!work.empty()) {
    const ir::BlockId b = work.back();
    work.pop_back();
    if (reached[b]) continue;
    reached[b] = true;
    for (const ir::BlockId next : kernel.blocks[b].successors) work.push_back(next);
  }
  return reached;
}

class GraphMaker {
 public:
  GraphMaker(const ir::Kernel& kernel, llvm::Function& lifted)
      : kernel_(kernel), lifted_(lifted), builder_(lifted.getContext()) {}

  FlowGraph run() {
    llvm::BasicBlock* entry = new_block();
    graph_.reachable = find_reachable(kernel_);
    graph_.blocks.assign(kernel_.blocks.size(), nullptr);
    for (ir::BlockId b = 0; b < kernel_.blocks.size(); ++b) {
      if (!graph_.reachable[b]) continue;
      graph_.blocks[b] = new_block();
      graph_.ids[graph_.blocks[b]] = b;
    }
    graph_.exit = new_block();
    builder_.SetInsertPoint(entry);
    builder_.CreateBr(graph_.blocks.empty() ? graph_.exit : graph_.blocks.front());
    for (ir::BlockId b = 0; b < kernel_.blocks.size(); ++b) {
      if (graph_.reachable[b]) terminate(b);
    }
    builder_.SetInsertPoint(graph_.exit);
    builder_.CreateRetVoid();
    return std::move(graph_);
  }

 private:
  llvm::BasicBlock* new_block() { return llvm::BasicBlock::Create(lifted_.getContext(), "", &lifted_); }
  llvm::BasicBlock* at(ir::BlockId b) { return b == ir::no_block ? graph_.exit : graph_.blocks[b]; }

  void terminate(ir::BlockId b);
  void transfer_control(const ir::ControlTransfer& transfer);

  const ir::Kernel& kernel_;
  llvm::Function& lifted_;
  llvm::IRBuilder<> builder_;
  FlowGraph graph_;
};

void GraphMaker::terminate(ir::BlockId b) {
  const ir::ControlTransfer& transfer = kernel_.blocks[b].transfer;
  builder_.SetInsertPoint(graph_.blocks[b]);
  const bool stays = transfer.kind == ir::Transfer::fallthrough || transfer.kind == ir::Transfer::call;
  if (stays || transfer.guard == ir::no_register) return transfer_control(transfer);
  llvm::BasicBlock* taken = graph_.exit;
  if (transfer.kind == ir::Transfer::branch) taken = at(transfer.targets.front());
  if (transfer.kind == ir::Transfer::indexed) taken = new_block();
  builder_.CreateCondBr(builder_.getFalse(), taken, at(transfer.next));
  if (transfer.kind != ir::Transfer::indexed) return;
  builder_.SetInsertPoint(taken);
  transfer_control(transfer);
}

// For threads that the guard lets through. An index beyond the targets is undefined, so any may be the default.
void GraphMaker::transfer_control(const ir::ControlTransfer& transfer) {
  switch (transfer.kind) {
    case ir::Transfer::fallthrough:
    case ir::Transfer::call: builder_.CreateBr(at(transfer.next)); break;
    case ir::Transfer::branch: builder_.CreateBr(at(transfer.targets.front())); break;
    case ir::Transfer::function_return:
    case ir::Transfer::exit: builder_.CreateBr(graph_.exit); break;
    case ir::Transfer::indexed: {
      llvm::SwitchInst* branch = builder_.CreateSwitch(builder_.getInt32(0), at(transfer.targets.front()));
      for (uint32_t i = 1; i < transfer.targets.size(); ++i) {
        branch->addCase(builder_.getInt32(i), at(transfer.targets[i]));
      }
      break;
    }
  }
}

using Blocks = llvm::SmallSetVector<llvm::BasicBlock*, 16>;

// The blocks that can be reached from this one without leaving those that `top` dominates, other than itself.
template <typename Adjacent>
Blocks reached_from(llvm::BasicBlock& start, const llvm::BasicBlock& top, const llvm::DominatorTree& dominators,
                    const Adjacent& adjacent) {
  Blocks reached;
  reached.insert(&start);
  for (size_t i = 0; i < reached.size(); ++i) {
    for (llvm::BasicBlock* next : adjacent(reached[i])) {
      if (dominators.properlyDominates(&top, next)) reached.insert(next);
    }
  }
  return reached;
}

// The entries of the largest cycle through a back edge whose target does not dominate its source, below the block that
// dominates both. That block is not in the cycle: it would have been the first block of a loop around it.
std::vector<CycleEntry> entries_of_cycle(const FlowGraph& graph, llvm::BasicBlock& source, llvm::BasicBlock& target,
                                         const llvm::DominatorTree& dominators) {
  const llvm::BasicBlock& top = *dominators.findNearestCommonDominator(&source, &target);
  const Blocks before = reached_from(target, top, dominators, [](auto* block) { return llvm::predecessors(block); });
  const Blocks behind = reached_from(target, top, dominators, [](auto* block) { return llvm::successors(block); });
  std::vector<CycleEntry> entries;
  for (llvm::BasicBlock* block : behind) {
    if (!before.contains(block)) continue;
    for (llvm::BasicBlock* from : llvm::predecessors(block)) {
      if (!before.contains(from) || !behind.contains(from)) entries.push_back({graph.id(from), graph.id(block)});
    }
  }
  std::sort(entries.begin(), entries.end(),
            [](const CycleEntry& a, const CycleEntry& b) { return std::pair(a.to, a.from) < std::pair(b.to, b.from); });
  return entries;
}

}  // namespace

ir::BlockId FlowGraph::id(const llvm::BasicBlock* block) const {
  const auto found = ids.find(block);
  return found == ids.end() ? ir::no_block : found->second;
}

FlowGraph make_flow_graph(const ir::Kernel& kernel, llvm::Function& lifted) { return GraphMaker(kernel, lifted).run(); }

void set_condition(const FlowGraph& graph, ir::BlockId block, llvm::Value* guard, llvm::Value* index) {
  llvm::Instruction* terminator = graph.blocks[block]->getTerminator();
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(terminator);
  if (branch != nullptr && branch->isConditional() && guard != nullptr) {
    branch->setCondition(guard);
    terminator = branch->getSuccessor(0)->getTerminator();
  }
  if (index == nullptr) return;
  if (auto* table = llvm::dyn_cast<llvm::SwitchInst>(terminator)) table->setCondition(index);
}

std::vector<CycleEntry> find_irreducible(const FlowGraph& graph, llvm::Function& lifted,
                                         const llvm::DominatorTree& dominators) {
  llvm::DenseMap<llvm::BasicBlock*, size_t> position;
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&lifted);
  for (llvm::BasicBlock* block : order) position.try_emplace(block, position.size());
  for (llvm::BasicBlock* block : order) {
    for (llvm::BasicBlock* next : llvm::successors(block)) {
      if (position[next] <= position[block] && !dominators.dominates(next, block)) {
        return entries_of_cycle(graph, *block, *next, dominators);
      }
    }
  }
  return {};
}

void normalize_loops(const llvm::LoopInfo& loops) {
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    llvm::SmallSetVector<llvm::BasicBlock*, 8> entering;
    llvm::SmallSetVector<llvm::BasicBlock*, 8> latches;
    for (llvm::BasicBlock* block : llvm::predecessors(loop->getHeader())) {
      (loop->contains(block) ? latches : entering).insert(block);
    }
    llvm::DominatorTree* none = nullptr;
    for (const auto* blocks : {&entering, &latches}) {
      if (blocks->size() > 1) llvm::SplitBlockPredecessors(loop->getHeader(), blocks->getArrayRef(), "", none);
    }
  }
}

}  // namespace warpspan::lift
