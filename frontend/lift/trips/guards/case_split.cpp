// SPDX-License-Identifier: GPL-3.0-or-later
// Lemma. Let a phi be in a block B that is no loop's header, let v be what came in when B last ran, by the edge from P,
// and a use be dominated by B. There, v still is what it was when B ran, and so is what branches before P decided about
// it. Proof. Otherwise the block D that defines v ran again behind B, and the use is reached from there without B. As B
// dominates the use, D cannot be reached without B: B dominates D. D dominates P, so the edge from P leads back to a
// block that dominates P, and B is the header of a loop. A branch that is known to have been taken before P is of a
// block that dominates P, and what it compares dominates that: the same holds of it. QED.
//
// Let p be a phi of the header of a loop around, and L a comparison of p with a number that does not change in that
// loop. If L holds of what p starts with, and of what comes in by the only back edge, then L holds in every iteration,
// so in the last one where the loop has been left. It holds of what p starts with if it follows from what branches
// imply there.
//
// Of a branch by a | b one side holds where it is taken, and by a & b one does not where it is not. Which one may
// follow from the edges by which paths join: those by which a is constant, as where code notes that a loop was passed
// by.
//
// Let a loop have been left, and L hold of p in its every iteration: p > c, and the next p is p - s, signed. Then the
// next one is above c - s, if that does not wrap, for neither does p - s.
//
// A select is a phi whose edges are the values of its condition: what it chooses from and what its condition compares
// dominate it, and with them instead of P, and it instead of B, the proof is the same.
#include "frontend/lift/trips/guards/case_split.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

#include "frontend/lift/trips/guards/conditions.hpp"
#include "frontend/lift/trips/guards/part_replacer.hpp"
#include "frontend/lift/trips/guards/sums.hpp"

namespace warpspan::lift {

namespace {

using llvm::PHINode;
using llvm::SCEV;
using llvm::Value;

constexpr size_t most_cases = 32;
constexpr size_t most_relations = 48;
constexpr unsigned widest = 64;

const PHINode* join_of(const SCEV& expression, const llvm::LoopInfo& loops) {
  const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(&expression);
  const auto* phi = unknown == nullptr ? nullptr : llvm::dyn_cast<PHINode>(unknown->getValue());
  return phi == nullptr || loops.isLoopHeader(phi->getParent()) ? nullptr : phi;
}

const llvm::SelectInst* choice_of(const SCEV& expression) {
  const llvm::SelectInst* choice = nullptr;
  llvm::SCEVExprContains(&expression, [&](const SCEV* part) {
    const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part);
    if (unknown != nullptr) choice = llvm::dyn_cast<llvm::SelectInst>(unknown->getValue());
    return choice != nullptr;
  });
  return choice != nullptr && choice->getCondition()->getType()->isIntegerTy(1) ? choice : nullptr;
}

const llvm::SCEVSMaxExpr* maximum_of(const SCEV& expression) {
  const llvm::SCEVSMaxExpr* maximum = nullptr;
  if (expression.getExpressionSize() > largest_expression) return nullptr;
  llvm::SCEVExprContains(&expression, [&](const SCEV* part) {
    maximum = llvm::dyn_cast<llvm::SCEVSMaxExpr>(part);
    return maximum != nullptr;
  });
  return maximum;
}

class Splitter {
 public:
  Splitter(const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators, llvm::ScalarEvolution& evolution)
      : loops_(loops), dominators_(dominators), evolution_(evolution) {}

  const llvm::BasicBlock* block_of_joins(const SCEV& expression) const;
  std::vector<Case> split(const Case& whole, const llvm::BasicBlock& block) const;
  std::vector<Case> split(const Case& whole, const llvm::SelectInst& choice) const;
  std::vector<Case> split(const Case& whole, const llvm::SCEVSMaxExpr& maximum) const;
  void add_relations(const llvm::BasicBlock& from, const llvm::BasicBlock& to, std::vector<Relation>& relations) const;
  void add_relations(const llvm::Loop& around, std::vector<Relation>& relations, bool searches = false) const;
  void add_either(const llvm::BasicBlock& from, const llvm::BasicBlock& to, Case& part) const;

 private:
  bool follows(const Relation& relation, const std::vector<Relation>& from) const;
  void add_left(const llvm::Loop& left, std::vector<Relation>& relations) const;
  Literal literal(Value& condition, bool holds) const;
  void resolve(const llvm::BasicBlock& from, const llvm::BasicBlock& to, Case& whole) const;
  void add_relations(const Comparisons& comparisons, std::vector<Relation>& relations) const;
  Case replaced(const Case& whole, const PartReplacer::Parts& values) const;

  const llvm::LoopInfo& loops_;
  const llvm::DominatorTree& dominators_;
  llvm::ScalarEvolution& evolution_;
};

// One that joins what others of the expression joined before, if there is such; null: there is none.
const llvm::BasicBlock* Splitter::block_of_joins(const SCEV& expression) const {
  const llvm::BasicBlock* best = nullptr;
  llvm::SCEVExprContains(&expression, [&](const SCEV* part) {
    const PHINode* join = join_of(*part, loops_);
    if (join != nullptr && (best == nullptr || dominators_.dominates(best, join->getParent()))) {
      best = join->getParent();
    }
    return false;
  });
  return best;
}

void Splitter::add_relations(const llvm::BasicBlock& from, const llvm::BasicBlock& to,
                             std::vector<Relation>& relations) const {
  add_relations(comparisons_on_edge(from, to, from.getParent()->getEntryBlock(), dominators_), relations);
}

void Splitter::add_relations(const Comparisons& comparisons, std::vector<Relation>& relations) const {
  for (const Comparison& comparison : comparisons) {
    if (relations.size() >= most_relations || comparison.a->getType()->getIntegerBitWidth() > widest) break;
    const Relation relation{comparison.predicate, evolution_.getSCEV(comparison.a), evolution_.getSCEV(comparison.b)};
    if (!llvm::is_contained(relations, relation)) relations.push_back(relation);
  }
}

// Whether a relation follows from others.
bool Splitter::follows(const Relation& relation, const std::vector<Relation>& from) const {
  if (llvm::is_contained(from, relation)) return true;
  const auto contrary = llvm::CmpInst::getInversePredicate(relation.predicate);
  std::vector<Relation> with_contrary = from;
  with_contrary.push_back({contrary, relation.a, relation.b});
  with_contrary.push_back({llvm::CmpInst::getSwappedPredicate(contrary), relation.b, relation.a});
  return !SumRanges(evolution_, with_contrary).is_possible();
}

// That hold in every iteration of a loop: searches whether they follow from what holds where it is entered, or looks
// only whether they are among it.
void Splitter::add_relations(const llvm::Loop& around, std::vector<Relation>& relations, bool searches) const {
  const llvm::BasicBlock& header = *around.getHeader();
  const llvm::BasicBlock* before = around.getLoopPredecessor();
  const llvm::BasicBlock* latch = around.getLoopLatch();
  if (before == nullptr || latch == nullptr) return;
  std::vector<Relation> on_entry;
  add_relations(*before, header, on_entry);
  for (const Comparison& comparison : comparisons_on_edge(*latch, header, header, dominators_)) {
    if (comparison.b->getType()->getIntegerBitWidth() > widest) continue;
    const SCEV* limit = evolution_.getSCEV(comparison.b);
    if (!evolution_.isLoopInvariant(limit, &around)) continue;
    for (const PHINode& phi : header.phis()) {
      if (relations.size() >= most_relations || phi.getIncomingValueForBlock(latch) != comparison.a) continue;
      const SCEV* start = evolution_.getSCEV(phi.getIncomingValueForBlock(before));
      const Relation first{comparison.predicate, start, limit};
      if (!llvm::is_contained(on_entry, first) && !evolution_.isKnownPredicate(comparison.predicate, start, limit) &&
          !(searches && follows(first, on_entry))) {
        continue;
      }
      relations.push_back({comparison.predicate, evolution_.getSCEV(const_cast<PHINode*>(&phi)), limit});
    }
  }
}

// What holds of counters where the loop has been left: in its last iteration as in all, and of the next values of those
// that go down to a constant.
void Splitter::add_left(const llvm::Loop& left, std::vector<Relation>& relations) const {
  std::vector<Relation> of_iterations;
  add_relations(left, of_iterations, true);
  for (const Relation& relation : of_iterations) {
    if (relations.size() >= most_relations) return;
    const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(relation.a);
    const auto* limit = llvm::dyn_cast<llvm::SCEVConstant>(relation.b);
    relations.push_back(relation);
    if (relation.predicate != llvm::CmpInst::ICMP_SGT || counter == nullptr || limit == nullptr) continue;
    if (counter->getLoop() != &left || !counter->isAffine()) continue;
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(counter->getStepRecurrence(evolution_));
    if (step == nullptr || !step->getAPInt().isNegative()) continue;
    bool wraps = false;
    const llvm::APInt least = limit->getAPInt().sadd_ov(step->getAPInt(), wraps);
    if (wraps || relations.size() >= most_relations) continue;
    relations.push_back({relation.predicate, counter->getPostIncExpr(evolution_), evolution_.getConstant(least)});
  }
}

Literal Splitter::literal(Value& condition, bool holds) const {
  Literal result{&condition, holds};
  Value* inverted = nullptr;
  while (
      llvm::PatternMatch::match(result.condition, llvm::PatternMatch::m_Not(llvm::PatternMatch::m_Value(inverted)))) {
    result = {inverted, !result.holds};
  }
  Comparisons comparisons;
  add_comparisons(*result.condition, result.holds, dominators_, comparisons);
  add_relations(comparisons, result.relations);
  return result;
}

// The disjunction that the branch from one block to the other takes to hold.
void Splitter::add_either(const llvm::BasicBlock& from, const llvm::BasicBlock& to, Case& part) const {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(from.getTerminator());
  if (branch == nullptr || branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) return;
  const Literal taken = literal(*branch->getCondition(), branch->getSuccessor(0) == &to);
  const auto* either = llvm::dyn_cast<llvm::BinaryOperator>(taken.condition);
  const auto disjunction = taken.holds ? llvm::Instruction::Or : llvm::Instruction::And;
  if (either == nullptr || either->getOpcode() != disjunction) return;
  part.either.push_back({literal(*either->getOperand(0), taken.holds), literal(*either->getOperand(1), taken.holds)});
}

// Of a disjunction the other side holds where the one is a phi of the block that is not so by this edge.
void Splitter::resolve(const llvm::BasicBlock& from, const llvm::BasicBlock& to, Case& whole) const {
  const auto by_edge = [&](const Literal& side) {
    auto* phi = llvm::dyn_cast<PHINode>(side.condition);
    if (phi == nullptr || phi->getParent() != &to) return side;
    return literal(*phi->getIncomingValueForBlock(&from), side.holds);
  };
  const auto known = [](const Literal& side) -> std::optional<bool> {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(side.condition);
    return constant == nullptr ? std::nullopt : std::optional(constant->isOne() == side.holds);
  };
  std::vector<Either> open;
  for (const Either& either : whole.either) {
    const Literal a = by_edge(either.a), b = by_edge(either.b);
    const auto of_a = known(a), of_b = known(b);
    if ((of_a && *of_a) || (of_b && *of_b)) continue;
    if (!of_a && !of_b) {
      open.push_back({a, b});
      continue;
    }
    const std::vector<Relation>& left = (of_a ? b : a).relations;
    whole.relations.insert(whole.relations.end(), left.begin(), left.end());
  }
  whole.either = std::move(open);
}

// With what these values are.
Case Splitter::replaced(const Case& whole, const PartReplacer::Parts& values) const {
  PartReplacer replacer(evolution_, values);
  Case part = whole;
  part.expression = replacer.visit(whole.expression);
  const auto replace = [&replacer](std::vector<Relation>& relations) {
    for (Relation& relation : relations) {
      relation = {relation.predicate, replacer.visit(relation.a), replacer.visit(relation.b)};
    }
  };
  replace(part.relations);
  for (Either& either : part.either) replace(either.a.relations), replace(either.b.relations);
  return part;
}

std::vector<Case> Splitter::split(const Case& whole, const llvm::BasicBlock& block) const {
  std::vector<Case> parts;
  const llvm::Loop* around = loops_.getLoopFor(&block);
  for (const llvm::BasicBlock* from : llvm::predecessors(&block)) {
    PartReplacer::Parts incoming;
    for (const PHINode& phi : block.phis()) {
      if (!evolution_.isSCEVable(phi.getType())) continue;
      incoming[evolution_.getUnknown(const_cast<PHINode*>(&phi))] =
          evolution_.getSCEVAtScope(phi.getIncomingValueForBlock(from), around);
    }
    Case by_edge = whole;
    resolve(*from, block, by_edge);
    parts.push_back(replaced(by_edge, incoming));
    add_relations(*from, block, parts.back().relations);
    add_either(*from, block, parts.back());
    for (const llvm::Loop* left = loops_.getLoopFor(from); left != nullptr && !left->contains(&block);
         left = left->getParentLoop()) {
      add_left(*left, parts.back().relations);
    }
  }
  return parts;
}

std::vector<Case> Splitter::split(const Case& whole, const llvm::SelectInst& choice) const {
  std::vector<Case> parts;
  for (const bool holds : {true, false}) {
    const SCEV* chosen = evolution_.getSCEV(const_cast<Value*>(holds ? choice.getTrueValue() : choice.getFalseValue()));
    parts.push_back(replaced(whole, {{evolution_.getUnknown(const_cast<llvm::SelectInst*>(&choice)), chosen}}));
    Comparisons comparisons;
    add_comparisons(*const_cast<Value*>(choice.getCondition()), holds, dominators_, comparisons);
    add_relations(comparisons, parts.back().relations);
  }
  return parts;
}

std::vector<Case> Splitter::split(const Case& whole, const llvm::SCEVSMaxExpr& maximum) const {
  std::vector<Case> parts;
  for (const SCEV* largest : maximum.operands()) {
    Case part{PartReplacer(evolution_, {{&maximum, largest}}).visit(whole.expression), whole.relations, whole.either};
    for (const SCEV* other : maximum.operands()) {
      if (other != largest) part.relations.push_back({llvm::CmpInst::ICMP_SLE, other, largest});
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

// Of what holds in the iterations of a loop and of those around it.
std::vector<Case> split_all(const Splitter& splitter, Case first, const llvm::Loop* around, bool of_maxima) {
  for (; around != nullptr; around = around->getParentLoop()) splitter.add_relations(*around, first.relations);
  std::vector<Case> work(1, std::move(first));
  std::vector<Case> cases;
  while (!work.empty()) {
    const Case whole = std::move(work.back());
    work.pop_back();
    const llvm::BasicBlock* block = splitter.block_of_joins(*whole.expression);
    const llvm::SelectInst* choice = block == nullptr ? choice_of(*whole.expression) : nullptr;
    const llvm::SCEVSMaxExpr* maximum =
        of_maxima && block == nullptr && choice == nullptr ? maximum_of(*whole.expression) : nullptr;
    const size_t alternatives = block != nullptr     ? llvm::pred_size(block)
                                : choice != nullptr  ? 2
                                : maximum != nullptr ? maximum->getNumOperands()
                                                     : 0;
    if (alternatives == 0 || cases.size() + work.size() + alternatives > most_cases) {
      cases.push_back(whole);
      continue;
    }
    std::vector<Case> parts = block != nullptr    ? splitter.split(whole, *block)
                              : choice != nullptr ? splitter.split(whole, *choice)
                                                  : splitter.split(whole, *maximum);
    work.insert(work.end(), std::make_move_iterator(parts.begin()), std::make_move_iterator(parts.end()));
  }
  return cases;
}

}  // namespace

std::vector<Case> cases_on_entry(const SCEV& number, const LoopContext& context, bool of_maxima) {
  const llvm::Loop& loop = context.loop;
  const Splitter splitter(context.loops, context.dominators, context.evolution);
  Case first{&number};
  if (const llvm::BasicBlock* from = loop.getLoopPredecessor()) {
    splitter.add_relations(*from, *loop.getHeader(), first.relations);
    splitter.add_either(*from, *loop.getHeader(), first);
  }
  return split_all(splitter, std::move(first), loop.getParentLoop(), of_maxima);
}

std::vector<Case> cases_on_edge(const SCEV& number, const llvm::BasicBlock& from, const llvm::BasicBlock& to,
                                const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators,
                                llvm::ScalarEvolution& evolution) {
  const Splitter splitter(loops, dominators, evolution);
  Case first{&number};
  splitter.add_relations(from, to, first.relations);
  splitter.add_either(from, to, first);
  return split_all(splitter, std::move(first), loops.getLoopFor(&to), false);
}

// The lowest bits, as many as the type has, each term for itself: x - (x & 3) is then 0 with two of them.
static const SCEV* low_bits(const SCEV& expression, llvm::Type* type, llvm::ScalarEvolution& evolution) {
  const auto* cast = llvm::dyn_cast<llvm::SCEVIntegralCastExpr>(&expression);
  if (cast != nullptr && evolution.getTypeSizeInBits(cast->getOperand()->getType()) >= type->getIntegerBitWidth()) {
    return low_bits(*cast->getOperand(), type, evolution);
  }
  const bool is_sum = llvm::isa<llvm::SCEVAddExpr>(expression);
  if (!is_sum && !llvm::isa<llvm::SCEVMulExpr>(expression)) return evolution.getTruncateOrNoop(&expression, type);
  llvm::SmallVector<const SCEV*, 4> operands;
  for (const SCEV* operand : expression.operands()) operands.push_back(low_bits(*operand, type, evolution));
  return is_sum ? evolution.getAddExpr(operands) : evolution.getMulExpr(operands);
}

bool is_multiple(const Case& number, unsigned bits, llvm::ScalarEvolution& evolution) {
  if (evolution.getMinTrailingZeros(number.expression) >= bits) return true;
  llvm::Type* type = llvm::IntegerType::get(evolution.getContext(), bits);
  const SCEV* low = low_bits(*number.expression, type, evolution);
  if (low->isZero()) return true;
  return llvm::any_of(number.relations, [&](const Relation& relation) {
    if (relation.predicate != llvm::CmpInst::ICMP_EQ || relation.a->getType()->getIntegerBitWidth() <= bits) {
      return false;
    }
    const SCEV* zero = evolution.getTruncateExpr(evolution.getMinusSCEV(relation.a, relation.b), type);
    return evolution.getMinusSCEV(low, zero)->isZero() || evolution.getAddExpr(low, zero)->isZero();
  });
}

}  // namespace warpspan::lift
