// SPDX-License-Identifier: GPL-3.0-or-later
// A condition that is used holds for the operands as they are where it is used: what dominates in SSA form cannot be
// computed anew on a path that does not come by what it dominates. Through a phi too, whose incoming value v, by an
// edge from F, was it: v dominates F, and the phi's block P the block where it is used. Were v computed anew between P
// and there, then not without P coming before it, as P dominates the use, unless P dominates v too; so it dominates
// F, and the edge goes back to the head of a loop. What comes by such an edge is of the iteration before, and is left
// out.
#include "frontend/lift/trips/guards/conditions.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "frontend/lift/trips/guards/exits.hpp"
#include "frontend/lift/trips/guards/saturation.hpp"

namespace warpspan::lift {

namespace {

namespace match = llvm::PatternMatch;
using llvm::ConstantRange;
using llvm::Value;

constexpr int deepest = 8;
constexpr int deepest_range = 4;
constexpr int most_blocks = 32;  // that are looked at for branches
constexpr size_t most_comparisons = 200;
constexpr int most_ranges = 200;     // that are looked at for one
constexpr int most_decrements = 16;  // of a counter in an iteration

bool is_constant(const Value& value, bool is) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value);
  return constant != nullptr && constant->isOne() == is;
}

void add(Value& condition, bool value, const llvm::DominatorTree& dominators, Comparisons& comparisons, int depth);

// a | b is not negative only if neither is.
void add_both(llvm::CmpInst::Predicate predicate, Value& a, Value& b, Comparisons& comparisons) {
  comparisons.push_back({predicate, &a, &b});
  comparisons.push_back({llvm::CmpInst::getSwappedPredicate(predicate), &b, &a});
  const bool is_positive = (predicate == llvm::CmpInst::ICMP_SGT && match::match(&b, match::m_AllOnes())) ||
                           (predicate == llvm::CmpInst::ICMP_SGE && match::match(&b, match::m_Zero()));
  Value* left = nullptr;
  Value* right = nullptr;
  if (!is_positive || !match::match(&a, match::m_Or(match::m_Value(left), match::m_Value(right)))) return;
  if (comparisons.size() > most_comparisons) return;
  add_both(predicate, *left, b, comparisons);
  add_both(predicate, *right, b, comparisons);
}

void add_of_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to, const llvm::BasicBlock& first,
                 const llvm::DominatorTree& dominators, Comparisons& comparisons, int depth);

// One of the incoming values was it; if all others are constants of another value, that one. If it came by one edge,
// what the branches to that edge say holds as well.
void add_phi(const llvm::PHINode& phi, bool value, const llvm::DominatorTree& dominators, Comparisons& comparisons,
             int depth) {
  Value* only = nullptr;
  const llvm::BasicBlock* edge = nullptr;
  int edges = 0;
  for (const llvm::BasicBlock* from : phi.blocks()) {
    Value* incoming = phi.getIncomingValueForBlock(from);
    if (is_constant(*incoming, !value)) continue;
    if ((only != nullptr && incoming != only) || dominators.dominates(phi.getParent(), from)) return;
    only = incoming;
    edge = from;
    ++edges;
  }
  if (only == nullptr) return;
  add(*only, value, dominators, comparisons, depth + 1);
  const auto* joined = dominators.getNode(phi.getParent());
  if (edges != 1 || joined == nullptr || joined->getIDom() == nullptr) return;
  if (comparisons.size() > most_comparisons) return;
  add_of_edge(*edge, *phi.getParent(), *joined->getIDom()->getBlock(), dominators, comparisons, depth + 1);
}

void add(Value& condition, bool value, const llvm::DominatorTree& dominators, Comparisons& comparisons, int depth) {
  if (depth > deepest || !condition.getType()->isIntegerTy(1)) return;
  if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&condition)) {
    const auto predicate = value ? compare->getPredicate() : compare->getInversePredicate();
    if (!compare->getOperand(0)->getType()->isIntegerTy()) return;
    return add_both(predicate, *compare->getOperand(0), *compare->getOperand(1), comparisons);
  }
  Value* a = nullptr;
  Value* b = nullptr;
  if (match::match(&condition, match::m_Not(match::m_Value(a))))
    return add(*a, !value, dominators, comparisons, depth + 1);
  const bool both = value ? match::match(&condition, match::m_And(match::m_Value(a), match::m_Value(b)))
                          : match::match(&condition, match::m_Or(match::m_Value(a), match::m_Value(b)));
  if (both) {
    add(*a, value, dominators, comparisons, depth + 1);
    add(*b, value, dominators, comparisons, depth + 1);
  } else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&condition)) {
    for (const bool side : {true, false}) {
      if (!is_constant(*(side ? select->getTrueValue() : select->getFalseValue()), !value)) continue;
      add(*select->getCondition(), !side, dominators, comparisons, depth + 1);
      add(*(side ? select->getFalseValue() : select->getTrueValue()), value, dominators, comparisons, depth + 1);
    }
  } else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&condition)) {
    add_phi(*phi, value, dominators, comparisons, depth);
  }
}

void add_of_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to, const llvm::BasicBlock& first,
                 const llvm::DominatorTree& dominators, Comparisons& comparisons, int depth) {
  const auto branch_of = [](const llvm::BasicBlock& block) -> const llvm::BranchInst* {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (branch == nullptr || !branch->isConditional()) return nullptr;
    return branch->getSuccessor(0) == branch->getSuccessor(1) ? nullptr : branch;
  };
  if (const llvm::BranchInst* branch = branch_of(from)) {
    add(*branch->getCondition(), branch->getSuccessor(0) == &to, dominators, comparisons, depth);
  }
  const auto* node = dominators.getNode(&from);
  for (int i = 0; i < most_blocks && node != nullptr && node->getBlock() != &first; ++i) {
    node = node->getIDom();
    const llvm::BranchInst* branch = node == nullptr ? nullptr : branch_of(*node->getBlock());
    if (branch == nullptr) continue;
    for (const unsigned side : {0U, 1U}) {
      const llvm::BasicBlockEdge edge(branch->getParent(), branch->getSuccessor(side));
      if (!dominators.dominates(edge, &from)) continue;
      add(*branch->getCondition(), side == 0, dominators, comparisons, depth);
    }
  }
}

class EdgeRanges {
 public:
  EdgeRanges(const llvm::DominatorTree& dominators, const ValueRanges& ranges)
      : dominators_(dominators), ranges_(ranges) {}
  ConstantRange find(Value& value, const llvm::BasicBlock& from, const llvm::BasicBlock& to, int depth);

 private:
  const llvm::DominatorTree& dominators_;
  const ValueRanges& ranges_;
  int budget_ = most_ranges;
};

// Whether it is the phi, or what is left of it after a few decrements that stop at zero.
bool is_saturated(const Value& value, const llvm::PHINode& phi) {
  const Value* counter = &value;
  for (int i = 0; i < most_decrements && counter != nullptr; ++i) {
    if (counter == &phi) return true;
    counter = saturated_counter(*counter);
  }
  return false;
}

// What a phi has came by one of its edges, with what was known there. Decrements that stop at zero leave it between
// zero and what it was: a number above zero stays not negative, all others stay as they are.
ConstantRange EdgeRanges::find(Value& value, const llvm::BasicBlock& from, const llvm::BasicBlock& to, int depth) {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) return ConstantRange(constant->getValue());
  const unsigned bits = value.getType()->getIntegerBitWidth();
  if (bits == 1 || bits > 64) return ConstantRange::getFull(bits);
  ConstantRange range = ranges_(value);
  if (depth == 0 || llvm::isa<llvm::Constant>(value) || --budget_ < 0) return range;
  const auto of = [&](Value& other) { return find(other, from, to, depth - 1); };
  const llvm::BasicBlock& entry = from.getParent()->getEntryBlock();
  for (const Comparison& comparison : comparisons_on_edge(from, to, entry, dominators_)) {
    if (comparison.a != &value) continue;
    range = range.intersectWith(ConstantRange::makeAllowedICmpRegion(comparison.predicate, of(*comparison.b)));
  }
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&value)) {
    ConstantRange all = ConstantRange::getEmpty(bits);
    bool goes_down = false;
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      if (llvm::isa<llvm::UndefValue>(phi->getIncomingValue(i))) continue;  // by an edge that is never taken
      if (is_saturated(*phi->getIncomingValue(i), *phi)) {
        goes_down = true;
        continue;
      }
      all = all.unionWith(find(*phi->getIncomingValue(i), *phi->getIncomingBlock(i), *phi->getParent(), depth - 1));
    }
    if (goes_down && !all.isEmptySet()) {
      const llvm::APInt zero = llvm::APInt::getZero(bits);
      all = ConstantRange::getNonEmpty(llvm::APIntOps::smin(all.getSignedMin(), zero), all.getSignedMax() + 1);
    }
    range = range.intersectWith(all);
  } else if (const Value* counter = saturated_counter(value)) {
    range = range.intersectWith(saturated_decrement(find(const_cast<Value&>(*counter), from, to, depth)));
  } else if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&value)) {
    const ConstantRange a = of(*binary->getOperand(0)), b = of(*binary->getOperand(1));
    range = range.intersectWith(a.binaryOp(binary->getOpcode(), b));
  }
  return range;
}

}  // namespace

void add_comparisons(Value& condition, bool value, const llvm::DominatorTree& dominators, Comparisons& comparisons) {
  add(condition, value, dominators, comparisons, 0);
}

Comparisons comparisons_of_every_iteration(const LoopContext& context) {
  Comparisons comparisons;
  for (const Exit& exit : exits_of_every_iteration(context.loop, context.dominators)) {
    add_comparisons(*exit.condition, exit.stays, context.dominators, comparisons);
  }
  return comparisons;
}

// Whether some number fulfils no comparison with a constant that another one of it does.
static bool exclude_all(const Comparisons& comparisons) {
  llvm::SmallDenseMap<const Value*, ConstantRange, 8> left;
  for (const Comparison& comparison : comparisons) {
    const auto* limit = llvm::dyn_cast<llvm::ConstantInt>(comparison.b);
    if (limit == nullptr) continue;
    const ConstantRange allowed = ConstantRange::makeExactICmpRegion(comparison.predicate, limit->getValue());
    ConstantRange& of_number = left.try_emplace(comparison.a, allowed).first->second;
    of_number = of_number.intersectWith(allowed);
    if (of_number.isEmptySet()) return true;
  }
  return false;
}

bool contradict(const Comparisons& comparisons) {
  constexpr unsigned less = 1, equal = 2, greater = 4;
  const auto orders = [](llvm::CmpInst::Predicate predicate, bool is_signed) {
    if (predicate == llvm::CmpInst::ICMP_EQ) return equal;
    if (predicate == llvm::CmpInst::ICMP_NE) return less | greater;
    if (llvm::CmpInst::isSigned(predicate) != is_signed) return less | equal | greater;
    const unsigned order = llvm::ICmpInst::isLT(predicate) || llvm::ICmpInst::isLE(predicate) ? less : greater;
    return llvm::CmpInst::isNonStrictPredicate(predicate) ? order | equal : order;
  };
  for (const bool is_signed : {false, true}) {
    llvm::SmallDenseMap<std::pair<const Value*, const Value*>, unsigned, 8> left;
    for (const Comparison& comparison : comparisons) {
      unsigned& of_both = left.try_emplace({comparison.a, comparison.b}, less | equal | greater).first->second;
      of_both &= orders(comparison.predicate, is_signed);
      if (of_both == 0) return true;
    }
  }
  return exclude_all(comparisons);
}

Comparisons comparisons_on_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to, const llvm::BasicBlock& first,
                                const llvm::DominatorTree& dominators) {
  Comparisons comparisons;
  add_of_edge(from, to, first, dominators, comparisons, 0);
  return comparisons;
}

ConstantRange range_on_edge(Value& value, const llvm::BasicBlock& from, const llvm::BasicBlock& to,
                            const llvm::DominatorTree& dominators, const ValueRanges& ranges) {
  return EdgeRanges(dominators, ranges).find(value, from, to, deepest_range);
}

ConstantRange range_on_entry(const llvm::PHINode& phi, const LoopContext& context) {
  ConstantRange all = ConstantRange::getEmpty(phi.getType()->getIntegerBitWidth());
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const llvm::BasicBlock& from = *phi.getIncomingBlock(i);
    if (context.loop.contains(&from)) continue;
    all = all.unionWith(
        range_on_edge(*phi.getIncomingValue(i), from, *context.loop.getHeader(), context.dominators, context.ranges));
  }
  return all;
}

}  // namespace warpspan::lift
