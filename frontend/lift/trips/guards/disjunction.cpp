// SPDX-License-Identifier: GPL-3.0-or-later
// A condition is split where it joins others: a or b holds if a does, or if a does not and b does. A phi holds if one
// of its edges was taken by which it does, and then so does what the branches to that edge imply.
//
// Let an exit of a loop with one latch, which every iteration passes, stay only in one of some cases, comparisons of
// numbers that are phis of the header in the next iteration, or that do not change in the loop. Let a case at the head
// be the same comparisons of the phis.
//
// Theorem. If by each edge that enters the loop one of the cases holds of what the phis are by it, one holds at the
// head of every iteration.
// Proof. In iteration 1 by the condition. The iteration before any other one has not taken the exit, so that one of the
// cases held when it was passed; the numbers it compared had their last value of that iteration, since an iteration
// comes to the exit once and to what is computed for the next iteration before it. These are the phis of the next
// iteration. QED.
//
// The cases by an edge are those of all branches to it, combined. One of them implies a case of the head if each of
// the latter's comparisons is one of its own, or one that follows from that of a number with a constant, or from the
// values that both numbers can have.
#include "frontend/lift/trips/guards/disjunction.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

#include "frontend/lift/trips/guards/exits.hpp"

namespace warpspan::lift {

namespace {

namespace match = llvm::PatternMatch;
using llvm::CmpInst;
using llvm::ConstantRange;
using llvm::PHINode;
using llvm::Value;

constexpr int deepest = 8;
constexpr size_t most_cases = 8;

const Cases unknown = {Comparisons()};

// Cases of both; too many are none that is known.
Cases both(const Cases& one, const Cases& other) {
  if (one.size() * other.size() > most_cases) return one.size() < other.size() ? one : other;
  Cases all;
  for (const Comparisons& a : one) {
    for (const Comparisons& b : other) {
      Comparisons joined = a;
      joined.append(b.begin(), b.end());
      if (!contradict(joined)) all.push_back(std::move(joined));
    }
  }
  return all;
}

Cases either(Cases one, const Cases& other) {
  if (one.size() + other.size() > most_cases) return unknown;
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

class Splitter {
 public:
  explicit Splitter(const llvm::DominatorTree& dominators) : dominators_(dominators) {}

  Cases of(Value& condition, bool value, int depth) const {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&condition)) {
      return constant->isOne() == value ? unknown : Cases();
    }
    if (depth == 0) return unknown;
    Value* a = nullptr;
    Value* b = nullptr;
    if (match::match(&condition, match::m_Not(match::m_Value(a)))) return of(*a, !value, depth - 1);
    const bool joins = match::match(&condition, match::m_And(match::m_Value(a), match::m_Value(b))) ||
                       match::match(&condition, match::m_Or(match::m_Value(a), match::m_Value(b)));
    if (joins) {
      const bool is_and = llvm::cast<llvm::Instruction>(condition).getOpcode() == llvm::Instruction::And;
      const Cases first = of(*a, value, depth - 1), second = of(*b, value, depth - 1);
      if (is_and == value) return both(first, second);
      return either(first, both(of(*a, !value, depth - 1), second));
    }
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&condition)) {
      return either(
          both(of(*select->getCondition(), true, depth - 1), of(*select->getTrueValue(), value, depth - 1)),
          both(of(*select->getCondition(), false, depth - 1), of(*select->getFalseValue(), value, depth - 1)));
    }
    if (const auto* phi = llvm::dyn_cast<PHINode>(&condition)) return of_phi(*phi, value, depth);
    if (auto signs = of_signs(condition, value)) return *signs;
    Comparisons comparisons;
    add_comparisons(condition, value, dominators_, comparisons);
    return {comparisons};
  }

 private:
  // The condition may test the sign of a & b, or of a | b: one is negative if both are, the other one if one of them
  // is.
  static std::optional<Cases> of_signs(Value& condition, bool value) {
    llvm::ICmpInst::Predicate predicate = CmpInst::ICMP_EQ;
    Value* a = nullptr;
    Value* b = nullptr;
    llvm::ConstantInt* limit = nullptr;
    const bool is_and = match::match(
        &condition,
        match::m_ICmp(predicate, match::m_And(match::m_Value(a), match::m_Value(b)), match::m_ConstantInt(limit)));
    const bool is_or =
        !is_and && match::match(&condition, match::m_ICmp(predicate, match::m_Or(match::m_Value(a), match::m_Value(b)),
                                                          match::m_ConstantInt(limit)));
    if (!is_and && !is_or) return std::nullopt;
    const ConstantRange region = ConstantRange::makeExactICmpRegion(predicate, limit->getValue());
    const ConstantRange negative =
        ConstantRange::makeExactICmpRegion(CmpInst::ICMP_SLT, llvm::APInt::getZero(limit->getBitWidth()));
    if (region != negative && region != negative.inverse()) return std::nullopt;
    const auto own = value ? predicate : CmpInst::getInversePredicate(predicate);
    const Comparison first{own, a, limit}, second{own, b, limit};
    const bool is_negative = (region == negative) == value;
    if (is_negative == is_and) return Cases{{first, second}};
    return Cases{{first}, {{CmpInst::getInversePredicate(own), a, limit}, second}};
  }

  // As in conditions.cpp, what comes by an edge back is of the iteration before.
  Cases of_phi(const PHINode& phi, bool value, int depth) const {
    const auto is_back = [&](const llvm::BasicBlock* from) { return dominators_.dominates(phi.getParent(), from); };
    const auto* joined = dominators_.getNode(phi.getParent());
    if (llvm::any_of(phi.blocks(), is_back) || joined == nullptr || joined->getIDom() == nullptr) return unknown;
    Cases all;
    for (const llvm::BasicBlock* from : phi.blocks()) {
      Cases incoming = of(*phi.getIncomingValueForBlock(from), value, depth - 1);
      if (incoming.empty()) continue;
      const Comparisons edge =
          comparisons_on_edge(*from, *phi.getParent(), *joined->getIDom()->getBlock(), dominators_);
      all = either(std::move(all), both(incoming, {edge}));
    }
    return all;
  }

  const llvm::DominatorTree& dominators_;
};

class Heads {
 public:
  explicit Heads(const LoopContext& context) : context_(context), splitter_(context.dominators) {}

  Cases find() const {
    Cases all = unknown;
    for (const Exit& exit : exits_of_every_iteration(context_.loop, context_.dominators)) {
      if (context_.loops.getLoopFor(exit.block) != &context_.loop) continue;
      const Cases stays = splitter_.of(*exit.condition, exit.stays, deepest);
      all = both(all, stays);
      const Cases next = of_next_iteration(stays);
      if (hold_at_entry(next)) all = both(all, next);
    }
    return all;
  }

 private:
  bool is_single(const Value& value) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    return instruction == nullptr || !context_.loop.contains(instruction) ||
           context_.loops.getLoopFor(instruction->getParent()) == &context_.loop;
  }

  // What it is at the head of the next iteration; null if it may be another number there.
  Value* next_head(Value& value) const {
    if (context_.loop.isLoopInvariant(&value)) return &value;
    if (!is_single(value)) return nullptr;
    for (PHINode& phi : context_.loop.getHeader()->phis()) {
      if (phi.getIncomingValueForBlock(context_.loop.getLoopLatch()) == &value) return &phi;
    }
    return nullptr;
  }

  Cases of_next_iteration(const Cases& cases) const {
    Cases all;
    for (const Comparisons& comparisons : cases) {
      Comparisons next;
      for (const Comparison& comparison : comparisons) {
        Value* a = next_head(*comparison.a);
        Value* b = next_head(*comparison.b);
        if (a != nullptr && b != nullptr) next.push_back({comparison.predicate, a, b});
      }
      all.push_back(std::move(next));
    }
    return all;
  }

  bool hold_at_entry(const Cases& cases) const {
    CasesFrom begin(context_.loop.getHeader()->getParent()->getEntryBlock(), context_.dominators);
    return llvm::all_of(llvm::predecessors(context_.loop.getHeader()), [&](const llvm::BasicBlock* from) {
      if (context_.loop.contains(from)) return true;
      const Cases known = begin.on_edge(*from, *context_.loop.getHeader());
      return llvm::all_of(known, [&](const Comparisons& one) {
        return llvm::any_of(cases, [&](const Comparisons& other) { return implies(one, other, *from); });
      });
    });
  }

  bool implies(const Comparisons& known, const Comparisons& at_head, const llvm::BasicBlock& from) const {
    return llvm::all_of(at_head, [&](const Comparison& c) {
      const Comparison wanted{c.predicate, &by_edge(*c.a, from), &by_edge(*c.b, from)};
      return llvm::any_of(known, [&](const Comparison& one) { return follows(wanted, one); }) ||
             follows_from_values(wanted, from);
    });
  }

  Value& by_edge(Value& at_head, const llvm::BasicBlock& from) const {
    auto* phi = llvm::dyn_cast<PHINode>(&at_head);
    const bool is_of_header = phi != nullptr && phi->getParent() == context_.loop.getHeader();
    return is_of_header ? *phi->getIncomingValueForBlock(&from) : at_head;
  }

  static bool follows(const Comparison& wanted, const Comparison& known) {
    if (known.a != wanted.a) return false;
    if (known.predicate == wanted.predicate && known.b == wanted.b) return true;
    const auto* limit = llvm::dyn_cast<llvm::ConstantInt>(wanted.b);
    const auto* given = llvm::dyn_cast<llvm::ConstantInt>(known.b);
    return limit != nullptr && given != nullptr &&
           ConstantRange::makeExactICmpRegion(wanted.predicate, limit->getValue())
               .contains(ConstantRange::makeExactICmpRegion(known.predicate, given->getValue()));
  }

  bool follows_from_values(const Comparison& wanted, const llvm::BasicBlock& from) const {
    const auto range = [&](Value& value) {
      return range_on_edge(value, from, *context_.loop.getHeader(), context_.dominators, context_.ranges);
    };
    return wanted.a->getType()->getIntegerBitWidth() <= 64 && range(*wanted.a).icmp(wanted.predicate, range(*wanted.b));
  }

  const LoopContext& context_;
  const Splitter splitter_;
};

}  // namespace

Cases cases_of(Value& condition, bool value, const llvm::DominatorTree& dominators) {
  return Splitter(dominators).of(condition, value, deepest);
}

Cases CasesFrom::on_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  const Cases before = at(from);
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(from.getTerminator());
  if (branch == nullptr || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
    return before;
  return both(before, cases_of(*branch->getCondition(), branch->getSuccessor(0) == &to, dominators_));
}

Cases CasesFrom::at(const llvm::BasicBlock& block) {
  if (&block == &first_) return unknown;
  if (const auto found = known_.find(&block); found != known_.end()) return found->second;
  if (--budget_ < 0) return unknown;
  const llvm::BasicBlock* only = block.getSinglePredecessor();
  Cases cases = only != nullptr ? on_edge(*only, block) : by_joined(block);
  return known_[&block] = std::move(cases);
}

// Where several paths join, and what is known of them jointly is nothing, what was known before they diverged.
Cases CasesFrom::by_joined(const llvm::BasicBlock& block) {
  const auto* node = dominators_.getNode(&block);
  if (node == nullptr || node->getIDom() == nullptr) return unknown;
  const auto is_back = [&](const llvm::BasicBlock* from) { return dominators_.dominates(&block, from); };
  Cases all;
  if (llvm::none_of(llvm::predecessors(&block), is_back)) {
    for (const llvm::BasicBlock* from : llvm::predecessors(&block)) {
      if (dominators_.isReachableFromEntry(from)) all = either(std::move(all), on_edge(*from, block));
    }
    if (llvm::none_of(all, [](const Comparisons& one) { return one.empty(); })) return all;
  }
  return at(*node->getIDom()->getBlock());
}

Cases cases_of_iterations(const LoopContext& context) {
  return context.loop.getLoopLatch() == nullptr ? unknown : Heads(context).find();
}

}  // namespace warpspan::lift
