// SPDX-License-Identifier: GPL-3.0-or-later
// A phi behind a loop that some paths bypass:
//
//   rest = count & 3;
//   i = start;
//   if (rest != 0) do { ...; i += step; } while (--rest != 0);
//   phi(i): start + step * rest, whichever path was taken.
//
// Let a phi be in a block B that is no loop's header. By one edge it gets v, computed in a loop L that B is outside of,
// which scalar evolution knows at the scope of B to be an expression e of values that are defined outside of L in
// blocks that dominate both B and the header of L. On each other edge the same holds of what comes in there, or
// branches imply that some part of e is a constant c, and with c for it e is what comes in. Let e be computed at p,
// behind the one of its values that the others dominate. Then the phi always is what p computed last.
//
// 1. Let w be one of the values, of which p is computed, and q any point that p dominates. When q is reached, w has not
//    been computed since p was. Otherwise a path goes from w to q without p. As w dominates p, w can be reached from
//    the entry without p; so could q then.
// 2. So e, of the values as they are when B is reached, is what p computed last, as p dominates B. When L last ran, the
//    values were the same: otherwise a path would go from one of them to B without L, and so, as it dominates the
//    header of L, one from the entry to the edge without v, which dominates the block that the edge comes from.
// 3. On the edge with v the phi is e: as in exit_values.cpp. A loop whose only exit each iteration passes, and is taken
// when
//    c + k or c - k is d in iteration k, counted from 0, ends in iteration d - c or c - d: it is the first such k, so
//    below 2^bits, and v is known there. On another one, a branch implies that a part of e is c when it is taken, and
//    comparisons_on_edge that it still is when B is reached; so e with c for the part is e, and is what comes in.
#include "frontend/lift/rewrites/joined_exits.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "frontend/lift/trips/guards/conditions.hpp"
#include "frontend/lift/trips/guards/part_replacer.hpp"

namespace warpspan::lift {

namespace {

using llvm::SCEV;

constexpr unsigned widest = 64;
constexpr size_t longest_expression = 32;  // parts

// Makes instructions of an expression. Values that are known to be parts of it stand for these.
class Expansion {
 public:
  explicit Expansion(llvm::ScalarEvolution& evolution) : evolution_(evolution) {}

  void add_known(llvm::Value& value) {
    if (llvm::isa<llvm::Instruction>(value)) known_[evolution_.getSCEV(&value)] = &value;
  }

  // The values that the expression is computed from; nothing if it cannot be, or is too long.
  std::optional<llvm::SmallVector<llvm::Instruction*, 8>> inputs(const SCEV* expression) {
    inputs_.clear();
    parts_ = 0;
    if (!find_inputs(expression)) return std::nullopt;
    return inputs_;
  }

  // Writes an expression that has inputs, before an instruction.
  llvm::Value* make(const SCEV* expression, llvm::Instruction* position) {
    llvm::IRBuilder<> builder(position);
    return make(expression, builder);
  }

 private:
  using Builder = llvm::IRBuilder<>;

  bool find_inputs(const SCEV* part) {
    if (++parts_ > longest_expression) return false;
    if (llvm::Value* value = value_of(part)) {
      if (auto* input = llvm::dyn_cast<llvm::Instruction>(value)) inputs_.push_back(input);
      return llvm::isa<llvm::Instruction>(value) || llvm::isa<llvm::ConstantInt>(value);
    }
    if (const auto* quotient = llvm::dyn_cast<llvm::SCEVUDivExpr>(part)) {
      const auto* divisor = llvm::dyn_cast<llvm::SCEVConstant>(quotient->getRHS());
      if (divisor == nullptr || divisor->isZero()) return false;
    } else if (!llvm::isa<llvm::SCEVAddExpr, llvm::SCEVMulExpr, llvm::SCEVTruncateExpr, llvm::SCEVZeroExtendExpr,
                          llvm::SCEVSignExtendExpr>(part)) {
      return false;
    }
    return llvm::all_of(part->operands(), [this](const SCEV* operand) { return find_inputs(operand); });
  }

  llvm::Value* value_of(const SCEV* part) const {
    if (const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(part)) return constant->getValue();
    const auto found = known_.find(part);
    if (found != known_.end()) return found->second;
    const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part);
    return unknown == nullptr ? nullptr : unknown->getValue();
  }

  llvm::Value* make(const SCEV* part, Builder& builder) {
    if (llvm::Value* value = value_of(part)) return value;
    llvm::SmallVector<llvm::Value*, 4> operands;
    for (const SCEV* operand : part->operands()) operands.push_back(make(operand, builder));
    switch (part->getSCEVType()) {
      case llvm::scTruncate: return builder.CreateTrunc(operands[0], part->getType());
      case llvm::scZeroExtend: return builder.CreateZExt(operands[0], part->getType());
      case llvm::scSignExtend: return builder.CreateSExt(operands[0], part->getType());
      case llvm::scUDivExpr: return builder.CreateUDiv(operands[0], operands[1]);
      default: break;
    }
    llvm::Value* result = operands[0];
    for (size_t i = 1; i < operands.size(); ++i) {
      result = part->getSCEVType() == llvm::scAddExpr ? builder.CreateAdd(result, operands[i])
                                                      : builder.CreateMul(result, operands[i]);
    }
    return result;
  }

  llvm::ScalarEvolution& evolution_;
  llvm::DenseMap<const SCEV*, llvm::Value*> known_;
  llvm::SmallVector<llvm::Instruction*, 8> inputs_;
  size_t parts_ = 0;
};

class Rewriter {
 public:
  explicit Rewriter(LoopAnalyses& analyses)
      : function_(analyses.function),
        dominators_(analyses.dominators),
        loops_(analyses.loops),
        evolution_(analyses.evolution) {}

  bool run() {
    if (loops_.empty()) return false;
    llvm::SmallVector<llvm::PHINode*, 16> joins;
    for (llvm::BasicBlock& block : function_) {
      if (loops_.isLoopHeader(&block) || !dominators_.isReachableFromEntry(&block)) continue;
      for (llvm::PHINode& phi : block.phis()) joins.push_back(&phi);
    }
    bool changes = false;
    for (llvm::PHINode* join : joins) {
      llvm::Value* same = value_on_all_paths(*join);
      if (same == nullptr) continue;
      evolution_.forgetValue(join);
      join->replaceAllUsesWith(same);
      changes = true;
    }
    return changes;
  }

 private:
  llvm::Value* value_on_all_paths(const llvm::PHINode& join) {
    if (!join.getType()->isIntegerTy() || join.getType()->getIntegerBitWidth() > widest) return nullptr;
    for (unsigned i = 0; i < join.getNumIncomingValues(); ++i) {
      const auto* value = llvm::dyn_cast<llvm::Instruction>(join.getIncomingValue(i));
      const llvm::Loop* loop = value == nullptr ? nullptr : loops_.getLoopFor(value->getParent());
      if (loop == nullptr || loop->contains(join.getParent())) continue;
      if (llvm::Value* same = value_after(*loop, i, join)) return same;
    }
    return nullptr;
  }

  // What the loop leaves comes by `edge`.
  llvm::Value* value_after(const llvm::Loop& loop, unsigned edge, const llvm::PHINode& join) {
    if (llvm::Value* same = value_after(loop, edge, incoming(join, edge), join)) return same;
    const auto* counted = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(join.getIncomingValue(edge)));
    const SCEV* last = counted == nullptr || counted->getLoop() != &loop ? nullptr : last_iteration(loop);
    return last == nullptr ? nullptr : value_after(loop, edge, counted->evaluateAtIteration(last, evolution_), join);
  }

  // From 0 on, of a loop that ends when a counter that goes by one is some number. Scalar evolution may know it to be a
  // constant whenever the loop is entered, and so not as what it is on all paths.
  const SCEV* last_iteration(const llvm::Loop& loop) {
    const llvm::BasicBlock* exiting = loop.getExitingBlock();
    const llvm::BasicBlock* latch = loop.getLoopLatch();
    if (exiting == nullptr || latch == nullptr || !dominators_.dominates(exiting, latch)) return nullptr;
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(exiting->getTerminator());
    const auto* test = branch == nullptr || branch->isUnconditional()
                           ? nullptr
                           : llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
    if (test == nullptr || !test->isEquality()) return nullptr;
    const bool ends_when_equal = test->getPredicate() == llvm::CmpInst::ICMP_EQ;
    if (loop.contains(branch->getSuccessor(ends_when_equal ? 0 : 1))) return nullptr;
    const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(test->getOperand(0)));
    const SCEV* limit = evolution_.getSCEV(test->getOperand(1));
    if (counter == nullptr || counter->getLoop() != &loop || !evolution_.isLoopInvariant(limit, &loop)) return nullptr;
    const SCEV* step = counter->isAffine() ? counter->getStepRecurrence(evolution_) : limit;
    if (step->isOne()) return evolution_.getMinusSCEV(limit, counter->getStart());
    return step->isAllOnesValue() ? evolution_.getMinusSCEV(counter->getStart(), limit) : nullptr;
  }

  // The expression comes by `edge`.
  llvm::Value* value_after(const llvm::Loop& loop, unsigned edge, const SCEV* expression, const llvm::PHINode& join) {
    Expansion expansion(evolution_);
    for (const llvm::PHINode& phi : loop.getHeader()->phis()) {
      for (llvm::Value* start : phi.incoming_values()) {
        if (evolution_.isSCEVable(start->getType()) && stays_known(*start, loop, join)) expansion.add_known(*start);
      }
    }
    for (unsigned i = 0; i < join.getNumIncomingValues(); ++i) {
      if (i != edge && !comes_by(i, expression, join)) return nullptr;
    }
    const auto inputs = expansion.inputs(expression);
    if (!inputs || inputs->empty()) return nullptr;
    llvm::Instruction* last = inputs->front();
    for (llvm::Instruction* input : *inputs) {
      if (!stays_known(*input, loop, join)) return nullptr;
      if (dominators_.dominates(last, input)) last = input;
    }
    return expansion.make(
        expression, llvm::isa<llvm::PHINode>(last) ? &*last->getParent()->getFirstInsertionPt() : last->getNextNode());
  }

  // Whether the expression is what comes by an edge whenever it is taken.
  bool comes_by(unsigned edge, const SCEV* expression, const llvm::PHINode& join) {
    if (llvm::isa<llvm::UndefValue>(join.getIncomingValue(edge)) || incoming(join, edge) == expression) return true;
    const auto comparisons =
        comparisons_on_edge(*join.getIncomingBlock(edge), *join.getParent(), function_.getEntryBlock(), dominators_);
    return llvm::any_of(comparisons, [&](const Comparison& comparison) {
      if (comparison.predicate != llvm::CmpInst::ICMP_EQ || !llvm::isa<llvm::ConstantInt>(comparison.b)) return false;
      PartReplacer replacer(evolution_, {{evolution_.getSCEV(comparison.a), evolution_.getSCEV(comparison.b)}});
      return replacer.visit(expression) == incoming(join, edge);
    });
  }

  const SCEV* incoming(const llvm::PHINode& join, unsigned i) {
    return evolution_.getSCEVAtScope(join.getIncomingValue(i), loops_.getLoopFor(join.getParent()));
  }

  bool stays_known(const llvm::Value& value, const llvm::Loop& loop, const llvm::PHINode& join) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    return instruction != nullptr && !loop.contains(instruction) &&
           dominators_.dominates(instruction->getParent(), loop.getHeader()) &&
           dominators_.dominates(instruction, &join);
  }

  llvm::Function& function_;
  const llvm::DominatorTree& dominators_;
  const llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
};

}  // namespace

bool rewrite_joined_exits(LoopAnalyses& analyses) { return Rewriter(analyses).run(); }

}  // namespace warpspan::lift
