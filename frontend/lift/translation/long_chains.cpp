// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/translation/long_chains.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "frontend/lift/translation/emitter.hpp"

namespace warpspan::lift {

namespace {

constexpr unsigned longest_chain = 300;
constexpr unsigned weight_of_counter = 8;  // how loops depend on earlier loops costs more time than other arithmetic

class Cutter {
 public:
  explicit Cutter(llvm::Function& function) : function_(function) {}

  void run() {
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_)) {
      for (auto next = block->begin(); next != block->end();) {
        llvm::Instruction& instruction = *next++;
        if (instruction.getType()->isIntegerTy()) visit(instruction);
      }
      seen_.insert(block);
      for (llvm::BasicBlock* successor : llvm::successors(block)) {
        if (seen_.count(successor) > 0) raise_counters(*successor, *block);
      }
    }
  }

 private:
  void visit(llvm::Instruction& instruction) {
    if (call_kind(instruction) != CallKind::none) return;
    unsigned length = 0;
    for (const llvm::Value* operand : instruction.operand_values()) length = std::max(length, length_.lookup(operand));
    length_[&instruction] = length + weight(instruction);
    if (length >= longest_chain) cut(instruction);
  }

  unsigned weight(const llvm::Instruction& instruction) const {
    const auto is_later = [this](const llvm::BasicBlock* block) { return seen_.count(block) == 0; };
    const bool is_counter =
        llvm::isa<llvm::PHINode>(instruction) && llvm::any_of(llvm::predecessors(instruction.getParent()), is_later);
    return is_counter ? weight_of_counter : 1;
  }

  void cut(llvm::Instruction& instruction) {
    llvm::BasicBlock& block = *instruction.getParent();
    const auto position =
        llvm::isa<llvm::PHINode>(instruction) ? block.getFirstInsertionPt() : std::next(instruction.getIterator());
    llvm::CallInst* same = make_same(instruction, position);
    instruction.replaceUsesWithIf(same, [same](const llvm::Use& use) noexcept { return use.getUser() != same; });
  }

  // A loop's counter depends on all that its next value depends on, for those who read it after the loop.
  void raise_counters(llvm::BasicBlock& header, const llvm::BasicBlock& latch) {
    for (llvm::PHINode& phi : header.phis()) {
      const unsigned length = length_.lookup(phi.getIncomingValueForBlock(&latch)) + 1;
      length_[&phi] = std::max(length_[&phi], length);
    }
  }

  llvm::Function& function_;
  llvm::DenseSet<const llvm::BasicBlock*> seen_;
  llvm::DenseMap<const llvm::Value*, unsigned> length_;
};

constexpr unsigned most_guards = 256;
constexpr unsigned weight_of_loop = 8;  // its exit test is a bound on a counter, the most expensive kind of condition

class GuardCutter {
 public:
  explicit GuardCutter(llvm::Function& function) : dominators_(function), loops_(dominators_) {
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
    order_.assign(order.begin(), order.end());
  }

  void run() {
    for (llvm::BasicBlock* block : order_) {
      llvm::BasicBlock* before = predecessor(*block);
      weight_[block] = before == nullptr ? weight_around(*block) : weight_[before] + weight(*before, *block);
      if (before == nullptr || weight_[block] <= most_guards) continue;
      if (llvm::isa<llvm::SwitchInst>(block->getTerminator())) continue;  // it belongs to the guard before it
      cuts_.emplace_back(before, block);
      weight_[block] = 0;
    }
    for (const auto& [from, to] : cuts_) cut(*from, *to);
  }

 private:
  // The block that scalar evolution goes back to, if there is one before this block and in its loop.
  llvm::BasicBlock* predecessor(const llvm::BasicBlock& block) const {
    if (auto* single = block.getSinglePredecessor()) return const_cast<llvm::BasicBlock*>(single);
    const llvm::Loop* loop = loops_.getLoopFor(&block);
    return loop != nullptr && loop->getHeader() == &block ? loop->getLoopPredecessor() : nullptr;
  }

  // From where paths join in a loop it goes on from the loop's header.
  unsigned weight_around(const llvm::BasicBlock& block) const {
    const llvm::Loop* loop = loops_.getLoopFor(&block);
    return loop == nullptr ? 0 : weight_.lookup(loop->getHeader());
  }

  unsigned weight(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const {
    if (from.getSingleSuccessor() != nullptr) return 0;
    const llvm::Loop* loop = loops_.getLoopFor(&from);
    return loop != nullptr && !loop->contains(&to) ? weight_of_loop : 1;
  }

  // Two blocks on the edge: the first branches to the second whatever a condition is.
  static void cut(llvm::BasicBlock& from, llvm::BasicBlock& to) {
    llvm::LLVMContext& context = from.getContext();
    auto* first = llvm::BasicBlock::Create(context, "", from.getParent(), &to);
    auto* second = llvm::BasicBlock::Create(context, "", from.getParent(), &to);
    llvm::BranchInst::Create(second, second, llvm::ConstantInt::getTrue(context), first);
    llvm::BranchInst::Create(&to, second);
    from.getTerminator()->replaceSuccessorWith(&to, first);
  }

  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  std::vector<llvm::BasicBlock*> order_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> weight_;
  std::vector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>> cuts_;
};

}  // namespace

void cut_guard_chains(llvm::Function& function) {
  if (function.size() > most_guards / weight_of_loop) GuardCutter(function).run();
}

void cut_long_chains(llvm::Function& function) { Cutter(function).run(); }

}  // namespace warpspan::lift
