#include "frontend/lift/flow_graph.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>

#include "frontend/lift/operands.hpp"
#include "ir/flow.hpp"

namespace warpspan::lift {

namespace {

const ptx::Instruction* last_instruction(const ptx::Function& function, const ir::Block& block) {
  return block.count == 0 ? nullptr : &function.instructions[block.first + block.count - 1];
}

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
  GraphMaker(const ptx::Function& function, const ir::Kernel& kernel, llvm::Function& lifted)
      : function_(function), kernel_(kernel), lifted_(lifted), builder_(lifted.getContext()) {}

  std::optional<FlowGraph> run() {
    llvm::BasicBlock* entry = new_block();
    graph_.reachable = find_reachable(kernel_);
    graph_.blocks.assign(kernel_.blocks.size(), nullptr);
    for (ir::BlockId b = 0; b < kernel_.blocks.size(); ++b) {
      if (!graph_.reachable[b]) continue;
      graph_.blocks[b] = new_block();
      graph_.ids[graph_.blocks[b]] = b;
      block_at_[kernel_.blocks[b].first] = b;
    }
    graph_.exit = new_block();
    builder_.SetInsertPoint(entry);
    builder_.CreateBr(graph_.blocks.empty() ? graph_.exit : graph_.blocks.front());
    for (ir::BlockId b = 0; b < kernel_.blocks.size(); ++b) {
      if (graph_.reachable[b] && !(terminate(b) && matches_kernel(b))) return std::nullopt;
    }
    builder_.SetInsertPoint(graph_.exit);
    builder_.CreateRetVoid();
    return std::move(graph_);
  }

 private:
  llvm::BasicBlock* new_block() { return llvm::BasicBlock::Create(lifted_.getContext(), "", &lifted_); }

  llvm::BasicBlock* next_block(ir::BlockId b) {
    return b + 1 < graph_.blocks.size() ? graph_.blocks[b + 1] : graph_.exit;
  }
  llvm::BasicBlock* target(uint32_t label) {
    const auto found = block_at_.find(function_.labels[label].instruction);
    return found == block_at_.end() ? nullptr : graph_.blocks[found->second];
  }

  bool terminate(ir::BlockId b);
  bool terminate_indexed(const ptx::Instruction& last);
  bool matches_kernel(ir::BlockId b) const;

  const ptx::Function& function_;
  const ir::Kernel& kernel_;
  llvm::Function& lifted_;
  llvm::IRBuilder<> builder_;
  FlowGraph graph_;
  llvm::DenseMap<uint32_t, ir::BlockId> block_at_;  // by first instruction
};

bool GraphMaker::terminate(ir::BlockId b) {
  builder_.SetInsertPoint(graph_.blocks[b]);
  const ptx::Instruction* last = last_instruction(function_, kernel_.blocks[b]);
  const Transfer transfer = last == nullptr ? Transfer::none : transfer_of(*last);
  llvm::BasicBlock* next = next_block(b);
  llvm::BasicBlock* taken = next;
  if (transfer == Transfer::leave) taken = graph_.exit;
  if (transfer == Transfer::branch) {
    const ptx::Operand& operand = *function_.begin(*last);
    if (last->operand_count != 1 || operand.kind != ptx::Operand::Kind::label) return false;
    taken = target(operand.index);
  }
  const bool guarded = transfer != Transfer::none && last->guard != ptx::none;
  if (transfer == Transfer::indexed) taken = guarded ? new_block() : graph_.blocks[b];
  if (taken == nullptr || (guarded && next == nullptr)) return false;
  if (guarded) {
    builder_.CreateCondBr(builder_.getFalse(), taken, next);
    builder_.SetInsertPoint(taken);
  }
  if (transfer == Transfer::indexed) return terminate_indexed(*last);
  if (!guarded) builder_.CreateBr(taken);
  return true;
}

// An index beyond the table is undefined, so any target may be the default.
bool GraphMaker::terminate_indexed(const ptx::Instruction& last) {
  const ptx::Operand* operands = function_.begin(last);
  if (last.operand_count != 2 || operands[1].kind != ptx::Operand::Kind::table) return false;
  const std::vector<uint32_t>& labels = function_.tables[operands[1].index].labels;
  if (labels.empty()) return false;
  for (const uint32_t label : labels) {
    if (target(label) == nullptr) return false;
  }
  llvm::SwitchInst* branch = builder_.CreateSwitch(builder_.getInt32(0), target(labels[0]));
  for (uint32_t i = 1; i < labels.size(); ++i) branch->addCase(builder_.getInt32(i), target(labels[i]));
  return true;
}

// The successors must be those that the rest of the program sees.
bool GraphMaker::matches_kernel(ir::BlockId b) const {
  std::vector<ir::BlockId> found;
  bool ends = false;
  const auto note = [&](const llvm::BasicBlock* block) {
    const auto id = graph_.ids.find(block);
    if (id != graph_.ids.end()) found.push_back(id->second);
    ends = ends || block == graph_.exit;
  };
  for (const llvm::BasicBlock* block : llvm::successors(graph_.blocks[b])) {
    note(block);
    if (block == graph_.exit || graph_.ids.count(block) > 0) continue;
    for (const llvm::BasicBlock* beyond : llvm::successors(block)) note(beyond);
  }
  std::vector<ir::BlockId> expected = kernel_.blocks[b].successors;
  for (std::vector<ir::BlockId>* list : {&found, &expected}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  return found == expected && ends == (kernel_.blocks[b].may_end || expected.empty());
}

}  // namespace

ir::BlockId FlowGraph::id(const llvm::BasicBlock* block) const {
  const auto found = ids.find(block);
  return found == ids.end() ? ir::no_block : found->second;
}

std::optional<FlowGraph> make_flow_graph(const ptx::Function& function, const ir::Kernel& kernel,
                                         llvm::Function& lifted) {
  return GraphMaker(function, kernel, lifted).run();
}

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

std::optional<ir::BlockId> find_irreducible(const FlowGraph& graph, llvm::Function& lifted,
                                            const llvm::DominatorTree& dominators) {
  llvm::DenseMap<const llvm::BasicBlock*, size_t> position;
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&lifted);
  for (const llvm::BasicBlock* block : order) position.try_emplace(block, position.size());
  for (const llvm::BasicBlock* block : order) {
    for (const llvm::BasicBlock* next : llvm::successors(block)) {
      if (position[next] <= position[block] && !dominators.dominates(next, block)) return graph.id(next);
    }
  }
  return std::nullopt;
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
