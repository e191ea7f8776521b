// SPDX-License-Identifier: GPL-3.0-or-later
// Compilers keep what a loop was continued for: of `while (i < n || j < m)` the next iteration asks anew whether i < n,
// which has become a phi of two predicates, the one before the loop and the one at the end of the iteration.
//
// Let a loop have one latch, and let p be a phi of its header of one bit, and a and b phis of it, or numbers that do
// not change in the loop. Let p be some comparison of a and b by each edge that enters the loop, of what they are by
// it; and let what p is by the latch be the same comparison of what a and b are by it, given that p is so at the
// header.
//
// Theorem. p is the comparison of a and b.
//
// Proof. By induction over the iterations: the phis of a header get their values by the same edge. QED.
//
// A condition c is surely the comparison of a' and b', where they are used, if it is one with these operands, in either
// order; or both compare one number with constants, and hold for the same numbers; or LLVM simplifies the one
// to the other, as where both are constants. Or it is p, a' is a, and b' is b, in the same iteration. Or it is a phi,
// and so it is by each edge, of what a' and b' are by it. What c compares is what a' is where it is used: were a'
// computed once more behind c, and the end of the iteration come to without c, then an iteration could go so behind the
// first a', too, and never compute c, which dominates where it is used.
#include "frontend/lift/rewrites/carried_conditions.hpp"

#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace warpspan::lift {

namespace {

using llvm::CmpInst;
using llvm::ConstantRange;
using llvm::PHINode;
using llvm::Value;

constexpr int deepest = 4;
constexpr size_t most_phis = 8;

struct Compared {
  CmpInst::Predicate predicate = CmpInst::ICMP_EQ;
  Value* a = nullptr;
  Value* b = nullptr;
  Compared swapped() const { return {CmpInst::getSwappedPredicate(predicate), b, a}; }
};

bool is_same_number_set(const Compared& one, const Compared& other) {
  const auto* first = llvm::dyn_cast<llvm::ConstantInt>(one.b);
  const auto* second = llvm::dyn_cast<llvm::ConstantInt>(other.b);
  return one.a == other.a && first != nullptr && second != nullptr &&
         ConstantRange::makeExactICmpRegion(one.predicate, first->getValue()) ==
             ConstantRange::makeExactICmpRegion(other.predicate, second->getValue());
}

bool is_same(const Compared& one, const Compared& other) {
  const bool is_equal = one.predicate == other.predicate && one.a == other.a && one.b == other.b;
  return is_equal || is_same_number_set(one, other);
}

class Rewriter {
 public:
  explicit Rewriter(LoopAnalyses& analyses)
      : dominators_(analyses.dominators),
        loops_(analyses.loops),
        query_(analyses.function.getDataLayout(), nullptr, &dominators_) {}

  bool run() {
    bool changes = false;
    for (llvm::Loop* loop : loops_.getLoopsInPreorder()) {
      if (loop->getLoopLatch() == nullptr) continue;
      for (PHINode& phi : loop->getHeader()->phis()) {
        if (phi.getType()->isIntegerTy(1) && !phi.use_empty()) changes = rewrite(phi, *loop) || changes;
      }
    }
    return changes;
  }

 private:
  // What a number is by an edge to a block.
  static Value& by_edge(Value& number, const llvm::BasicBlock& block, const llvm::BasicBlock& from) {
    auto* phi = llvm::dyn_cast<PHINode>(&number);
    return phi == nullptr || phi->getParent() != &block ? number : *phi->getIncomingValueForBlock(&from);
  }

  static Compared by_edge(const Compared& compared, const llvm::BasicBlock& block, const llvm::BasicBlock& from) {
    return {compared.predicate, &by_edge(*compared.a, block, from), &by_edge(*compared.b, block, from)};
  }

  // Whether a condition is the comparison where a block ends.
  bool is_comparison(Value& condition, const Compared& compared, llvm::BasicBlock& block) const {
    const auto* own = llvm::dyn_cast<llvm::ICmpInst>(&condition);
    if (own != nullptr) {
      const Compared found{own->getPredicate(), own->getOperand(0), own->getOperand(1)};
      if (is_same(found, compared) || is_same(found, compared.swapped())) return true;
    }
    const auto query = query_.getWithInstruction(block.getTerminator());
    return llvm::simplifyICmpInst(compared.predicate, compared.a, compared.b, query) == &condition;
  }

  // The same, if `phi` is `at_header`.
  bool stays(Value& condition, const Compared& compared, llvm::BasicBlock& block, const PHINode& phi,
             const Compared& at_header, int depth) const {
    if (&condition == &phi && compared.a == at_header.a && compared.b == at_header.b) return true;
    if (is_comparison(condition, compared, block)) return true;
    auto* join = llvm::dyn_cast<PHINode>(&condition);
    if (join == nullptr || depth == 0 || join->getParent() == phi.getParent()) return false;
    return llvm::all_of(join->blocks(), [&](llvm::BasicBlock* from) {
      return !dominators_.dominates(join->getParent(), from) &&
             stays(*join->getIncomingValueForBlock(from), by_edge(compared, *join->getParent(), *from), *from, phi,
                   at_header, depth - 1);
    });
  }

  bool is_always(const PHINode& phi, const Compared& at_header, const llvm::Loop& loop) const {
    return llvm::all_of(phi.blocks(), [&](llvm::BasicBlock* from) {
      const Compared there = by_edge(at_header, *loop.getHeader(), *from);
      Value& condition = *phi.getIncomingValueForBlock(from);
      return loop.contains(from) ? stays(condition, there, *from, phi, at_header, deepest)
                                 : is_comparison(condition, there, *from);
    });
  }

  // A comparison that the condition may be.
  static const llvm::ICmpInst* find_comparison(Value& condition, const llvm::Loop& loop, int depth) {
    if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&condition)) return comparison;
    const auto* join = llvm::dyn_cast<PHINode>(&condition);
    if (join == nullptr || depth == 0 || !loop.contains(join) || join->getParent() == loop.getHeader()) return nullptr;
    for (const llvm::Use& value : join->incoming_values()) {
      if (const auto* found = find_comparison(*value.get(), loop, depth - 1)) return found;
    }
    return nullptr;
  }

  // What may be compared at the header: the number itself, if it does not change, or a phi that may become it.
  static llvm::SmallVector<Value*, 8> at_header(Value& number, const llvm::Loop& loop) {
    llvm::SmallVector<Value*, 8> all;
    if (loop.isLoopInvariant(&number)) {
      all.push_back(&number);
      return all;
    }
    for (PHINode& phi : loop.getHeader()->phis()) {
      if (phi.getType() == number.getType() && all.size() < most_phis) all.push_back(&phi);
    }
    return all;
  }

  static void replace(PHINode& phi, const Compared& compared) {
    auto position = phi.getParent()->getFirstInsertionPt();
    phi.replaceAllUsesWith(new llvm::ICmpInst(position, compared.predicate, compared.a, compared.b));
  }

  // What the phi of the header becomes is the comparison too, if its operands are known there.
  void replace_next(const PHINode& phi, const Compared& compared, const llvm::Loop& loop) const {
    auto* next = llvm::dyn_cast<PHINode>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
    if (next == nullptr || next->getParent() == loop.getHeader()) return;
    const llvm::Instruction* position = &*next->getParent()->getFirstInsertionPt();
    if (!dominators_.dominates(compared.a, position) || !dominators_.dominates(compared.b, position)) return;
    replace(*next, compared);
  }

  bool rewrite(PHINode& phi, const llvm::Loop& loop) const {
    const auto* next = find_comparison(*phi.getIncomingValueForBlock(loop.getLoopLatch()), loop, deepest);
    if (next == nullptr || !loop.contains(next)) return false;
    for (Value* a : at_header(*next->getOperand(0), loop)) {
      for (Value* b : at_header(*next->getOperand(1), loop)) {
        if (!is_always(phi, {next->getPredicate(), a, b}, loop)) continue;
        const Compared compared{next->getPredicate(), a, b};
        replace(phi, compared);
        replace_next(phi, by_edge(compared, *loop.getHeader(), *loop.getLoopLatch()), loop);
        return true;
      }
    }
    return false;
  }

  const llvm::DominatorTree& dominators_;
  const llvm::LoopInfo& loops_;
  const llvm::SimplifyQuery query_;
};

}  // namespace

bool rewrite_carried_conditions(LoopAnalyses& analyses) { return Rewriter(analyses).run(); }

}  // namespace warpspan::lift
