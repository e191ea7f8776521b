// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Let d be the immediate dominator of a block b, and both be in the same loops. If b post-dominates d, a
// thread that executes d executes b, once for each time. If not, but d branches and its edge to b is the only one that
// enters b, it does so if and only if it takes that edge. Proof. All paths to b lead through d, and none from d back to
// d without leaving the iteration; so b is executed at most once for each time d is. A path from d to the end that
// avoids b would contradict post-dominance; and who takes the only edge into b executes it. QED So going up from b by
// immediate dominators to the header of the innermost loop, or to the entry, the conditions of the edges met decide,
// all together. A loop that lies on the path and is left again is passed as one block, its header.
//
// Theorem. Let a loop be left at one block only, which each iteration executes, and let it stay in the loop in
// iteration k if and only if forms with non-negative terms of k are at most 0, all else in which does not change from
// iteration to iteration. Then iteration k > 0 is executed, where iteration 0 is, if and only if they are so at k - 1.
// Proof. Iteration k is executed if and only if all iterations before it stay; a form that is at most 0 at k - 1 was so
// at all iterations before. QED At k = 0 this condition says nothing about the iteration; so it is used only where it
// holds there anyway, because it does for all values of the counters, or because another condition is no weaker. The
// counter of a loop inside is that of its last iteration, another one in each iteration of this loop.
//
// Theorem. A warp that executes a block has a thread for which, of each condition by itself, the thread's offset, the
// constant and the least value of the terms over all values of their counters add up to 0 at most. Proof. It executes
// the block with one thread at least, for which all conditions hold at some values of the counters; terms are not less
// than their least value there. QED
//
// Theorem. Let a condition hold only for threads for which the predicate of one elect.sync is true, and let its mask be
// the same constant in every execution. Then of each warp one thread at most comes to a block that is entered only
// where the condition holds, whenever the warp executes it. Proof. The mask names all threads that execute it, and all
// that have not ended execute it together; it chooses one of these, so that of what they found last at most one has
// true (PTX ISA 9.7.13.14). QED With a mask in a register each part of a warp may elect a thread of its own.
//
// Theorem. Let a vote say whether all, or whether any, lanes that execute it have a condition. Then one of these has it
// if the answer is true, and one has not if the answer is false. Proof. Some lane executes it; if not all have the
// condition one has not, and if any has it one has. The rest is what is true of all is true of one. QED So what a warp
// executes only where the answer is one of both is executed by warps only that have a thread which comes to the vote
// and finds that.
#include "frontend/lift/accesses/execution_domains.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>

#include <algorithm>

#include "frontend/lift/translation/emitter.hpp"
#include "ir/sizes.hpp"
#include "support/checked.hpp"

namespace warpspan::lift {

namespace {

using llvm::Instruction;
using support::Integer;

// The predecessor that is not behind the block; null if there is none, or several.
const llvm::BasicBlock* entering(const llvm::BasicBlock& block, const llvm::Loop* own) {
  const bool is_header = own != nullptr && own->getHeader() == &block;
  const llvm::BasicBlock* found = nullptr;
  for (const llvm::BasicBlock* from : llvm::predecessors(&block)) {
    if (is_header && own->contains(from)) continue;
    if (found != nullptr) return nullptr;
    found = from;
  }
  return found;
}

const llvm::Value* without_same(const llvm::Value* value) {
  while (call_kind(*value) == CallKind::same) value = llvm::cast<llvm::CallInst>(value)->getOperand(0);
  return value;
}

// Whether a value is the predicate of an election among the same threads each time.
bool is_election(const llvm::Value& value, const ir::Body& body) {
  if (call_kind(value) != CallKind::opaque || !value.getType()->isIntegerTy(1)) return false;
  const auto from = origin(llvm::cast<llvm::Instruction>(value));
  if (!from) return false;
  const ir::Operation& operation = body.operation(*from);
  return operation.facts.elects && operation.key.constant_mask;
}

struct Literal {
  const llvm::Value* condition = nullptr;  // null: it is no literal
  bool holds = true;
};

// The condition of which a comparison says whether it holds: that of a choice between two constants.
Literal compared(const llvm::ICmpInst& comparison) {
  const auto* limit = llvm::dyn_cast<llvm::ConstantInt>(comparison.getOperand(1));
  const llvm::Value& chosen = *comparison.getOperand(0);
  const llvm::Value* condition = nullptr;
  llvm::APInt yes, no;
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&chosen)) {
    const auto* a = llvm::dyn_cast<llvm::ConstantInt>(select->getTrueValue());
    const auto* b = llvm::dyn_cast<llvm::ConstantInt>(select->getFalseValue());
    if (a == nullptr || b == nullptr) return {};
    condition = select->getCondition();
    yes = a->getValue();
    no = b->getValue();
  } else if (const auto* extended = llvm::dyn_cast<llvm::ZExtInst>(&chosen)) {
    condition = extended->getOperand(0);
    yes = llvm::APInt(chosen.getType()->getIntegerBitWidth(), 1);
    no = llvm::APInt(chosen.getType()->getIntegerBitWidth(), 0);
  }
  if (limit == nullptr || condition == nullptr || !condition->getType()->isIntegerTy(1)) return {};
  const bool if_yes = llvm::ICmpInst::compare(yes, limit->getValue(), comparison.getPredicate());
  const bool if_no = llvm::ICmpInst::compare(no, limit->getValue(), comparison.getPredicate());
  return if_yes == if_no ? Literal{} : Literal{condition, if_yes};
}

bool is_no_weaker(const AddressForm& strong, const AddressForm& weak) {
  return strong.offsets == weak.offsets && strong.terms == weak.terms && strong.base == weak.base &&
         strong.constant >= weak.constant;
}

Executing smaller(const Executing& a, const Executing& b) {
  const bool takes_first = !b.blocks || (a.blocks && a.blocks->some < b.blocks->some);
  return {std::min(a.warps, b.warps), takes_first ? a.blocks : b.blocks};
}

}  // namespace

// a + distance <= b.
bool ExecutionDomains::add_at_most(const AddressForm& a, int64_t distance, const AddressForm& b,
                                   Conditions& conditions) {
  auto difference = forms_.sum(a, -1, b);
  if (!difference || difference->base != nullptr || forms_.has_choice(*difference)) return false;
  const auto constant = (Integer(difference->constant) + Integer(distance)).value();
  if (!constant) return false;
  difference->constant = *constant;
  conditions.push_back(*difference);
  return true;
}

// The larger of two numbers is below a limit where both are, the smaller above it.
std::optional<Extreme> ExecutionDomains::both_of(llvm::CmpInst::Predicate predicate, const llvm::Value& value,
                                                 bool is_left) {
  using llvm::CmpInst;
  const bool is_less = CmpInst::getNonStrictPredicate(predicate) ==
                       (CmpInst::isSigned(predicate) ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE);
  if (!CmpInst::isRelational(predicate)) return std::nullopt;
  const auto extreme = extreme_of(value);
  const bool is_below = is_less == is_left;
  if (!extreme || extreme->is_least == is_below || extreme->is_signed != CmpInst::isSigned(predicate))
    return std::nullopt;
  return extreme;
}

bool ExecutionDomains::add_comparison(llvm::CmpInst::Predicate predicate, const llvm::Value& first,
                                      const llvm::Value& second, Conditions& conditions) {
  using llvm::CmpInst;
  if (const auto both = both_of(predicate, first, true)) {
    const bool a = add_comparison(predicate, *both->a, second, conditions);
    return add_comparison(predicate, *both->b, second, conditions) && a;
  }
  if (const auto both = both_of(predicate, second, false)) {
    const bool a = add_comparison(predicate, first, *both->a, conditions);
    return add_comparison(predicate, first, *both->b, conditions) && a;
  }
  const auto* type = llvm::dyn_cast<llvm::IntegerType>(first.getType());
  const auto left = forms_.of(first);
  const auto right = forms_.of(second);
  if (type == nullptr || !left || !right) return false;
  const unsigned bits = type->getBitWidth();
  bool is_signed = !CmpInst::isUnsigned(predicate);
  auto a = forms_.as_number(*left, bits, is_signed);
  auto b = forms_.as_number(*right, bits, is_signed);
  // As unsigned numbers negative ones are larger than any b that is none.
  if (!a && b && (predicate == CmpInst::ICMP_ULT || predicate == CmpInst::ICMP_ULE)) {
    a = forms_.as_number(*left, bits, true);
    b = forms_.as_number(*right, bits, true);
    const auto limit = b ? forms_.values(*b) : std::nullopt;
    if (!a || !limit || limit->least < 0 || !add_at_most({}, 0, *a, conditions)) return false;
    is_signed = true;
  }
  if (!a || !b) return false;
  switch (predicate) {
    case CmpInst::ICMP_SLT:
    case CmpInst::ICMP_ULT: return add_at_most(*a, 1, *b, conditions);
    case CmpInst::ICMP_SLE:
    case CmpInst::ICMP_ULE: return add_at_most(*a, 0, *b, conditions);
    case CmpInst::ICMP_SGT:
    case CmpInst::ICMP_UGT: return add_at_most(*b, 1, *a, conditions);
    case CmpInst::ICMP_SGE:
    case CmpInst::ICMP_UGE: return add_at_most(*b, 0, *a, conditions);
    case CmpInst::ICMP_EQ: return add_at_most(*a, 0, *b, conditions) && add_at_most(*b, 0, *a, conditions);
    case CmpInst::ICMP_NE: {
      const auto difference = forms_.sum(*a, -1, *b);
      const auto all = difference ? forms_.values(*difference) : std::nullopt;
      if (all && all->least >= 0) return add_at_most(*b, 1, *a, conditions);
      if (all && all->most <= 0) return add_at_most(*a, 1, *b, conditions);
      return false;
    }
    default: return false;
  }
}

// Elections and votes that a condition, if it holds or does not, says something of.
void ExecutionDomains::add_implied(const llvm::Value& condition, bool holds, ExecutionDomain& domain) {
  const llvm::Value* value = without_same(&condition);
  if (holds && is_election(*value, body_)) domain.is_elected = true;
  add_vote(*value, holds, domain);
  if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(value)) {
    const Literal literal = compared(*comparison);
    if (literal.condition != nullptr) add_implied(*literal.condition, holds == literal.holds, domain);
    return;
  }
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (operation == nullptr) return;
  const llvm::Value& a = *operation->getOperand(0);
  const llvm::Value& b = *operation->getOperand(1);
  if (operation->getOpcode() == Instruction::Xor) {
    const auto* mask = llvm::dyn_cast<llvm::ConstantInt>(&b);
    if (mask != nullptr) add_implied(a, holds != mask->isOne(), domain);
    return;
  }
  if (operation->getOpcode() != (holds ? Instruction::And : Instruction::Or)) return;
  add_implied(a, holds, domain);
  add_implied(b, holds, domain);
}

// As in the theorem.
void ExecutionDomains::add_vote(const llvm::Value& answer, bool holds, ExecutionDomain& domain) {
  if (!follows_votes_ || call_kind(answer) != CallKind::group) return;
  for (const llvm::User* user : answer.users()) {
    if (call_kind(*user) != CallKind::vote || user->getOperand(0) != &answer) continue;
    follows_votes_ = false;
    ExecutionDomain voting = of(*llvm::cast<llvm::Instruction>(user)->getParent());
    add_literal(*user->getOperand(1), holds, voting.conditions);
    follows_votes_ = true;
    const auto some = executing(voting);
    if (some) domain.by_votes = domain.by_votes ? smaller(*domain.by_votes, *some) : *some;
  }
}

// Whether forms at most 0 mean the same as the condition; those found are true of it in any case.
bool ExecutionDomains::add_literal(const llvm::Value& condition, bool holds, Conditions& conditions) {
  const llvm::Value* value = without_same(&condition);
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value)) return constant->isOne() == holds;
  if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(value)) {
    const auto predicate = holds ? comparison->getPredicate() : comparison->getInversePredicate();
    return add_comparison(predicate, *comparison->getOperand(0), *comparison->getOperand(1), conditions);
  }
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (operation == nullptr) return false;
  const llvm::Value& a = *operation->getOperand(0);
  const llvm::Value& b = *operation->getOperand(1);
  if (operation->getOpcode() == Instruction::Xor) {
    const auto* mask = llvm::dyn_cast<llvm::ConstantInt>(&b);
    return mask != nullptr && add_literal(a, holds != mask->isOne(), conditions);
  }
  const bool joins = operation->getOpcode() == (holds ? Instruction::And : Instruction::Or);
  if (!joins) return false;
  const bool first = add_literal(a, holds, conditions);
  const bool second = add_literal(b, holds, conditions);
  return first && second;
}

void ExecutionDomains::add_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to, ExecutionDomain& domain) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(from.getTerminator());
  if (branch == nullptr || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) {
    domain.is_exact = false;
    return;
  }
  const bool holds = branch->getSuccessor(0) == &to;
  add_implied(*branch->getCondition(), holds, domain);
  if (!add_literal(*branch->getCondition(), holds, domain.conditions)) domain.is_exact = false;
}

// From a block up to one that dominates it and is in the same loops, or is its innermost loop's header.
void ExecutionDomains::climb(const llvm::BasicBlock* block, const llvm::BasicBlock* top, ExecutionDomain& domain) {
  while (block != top) {
    const llvm::Loop* around = loops_.getLoopFor(block);
    if (around != nullptr && around->getHeader() == block) around = around->getParentLoop();
    const auto* node = dominators_.getNode(block);
    const llvm::BasicBlock* from =
        node == nullptr || node->getIDom() == nullptr ? nullptr : node->getIDom()->getBlock();
    if (from == nullptr) {
      domain.is_exact = false;
      return;
    }
    const llvm::BasicBlock* above = from;
    for (const llvm::Loop* left = loops_.getLoopFor(from); left != around && left != nullptr;
         left = left->getParentLoop()) {
      above = left->getHeader();
    }
    if (!post_dominators_.dominates(block, above)) {
      if (above == from && entering(*block, loops_.getLoopFor(block)) == from) {
        add_edge(*from, *block, domain);
      } else {
        domain.is_exact = false;
      }
    }
    block = above;
  }
}

// Conditions of an iteration being executed where iteration 0 is and the number of the iteration is above 0.
std::optional<ExecutionDomains::Conditions> ExecutionDomains::next_iteration(const llvm::Loop& loop) {
  if (forms_.count(forms_.counter_of(loop)) == 1) return Conditions{};  // no iteration has a number above 0
  const llvm::BasicBlock* test = loop.getExitingBlock();
  const llvm::BasicBlock* latch = loop.getLoopLatch();
  if (test == nullptr || latch == nullptr || loops_.getLoopFor(test) != &loop) return std::nullopt;
  if (!dominators_.dominates(test, latch) || !post_dominators_.dominates(test, loop.getHeader())) return std::nullopt;
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(test->getTerminator());
  if (branch == nullptr || !branch->isConditional()) return std::nullopt;
  Conditions conditions;
  if (!add_literal(*branch->getCondition(), loop.contains(branch->getSuccessor(0)), conditions)) return std::nullopt;
  std::erase_if(conditions, [this](const AddressForm& form) {
    const auto all = forms_.values(form);
    return all && all->most <= 0;
  });
  const auto inside = loop.getLoopsInPreorder();  // the loop itself first
  for (AddressForm& form : conditions) {
    const auto counts = [&](const llvm::Loop* inner) { return form.terms.count(forms_.counter_of(*inner)) > 0; };
    if (std::any_of(inside.begin() + 1, inside.end(), counts)) return std::nullopt;
    const auto term = form.terms.find(forms_.counter_of(loop));
    if (term == form.terms.end()) continue;
    const auto before = (Integer(form.constant) - Integer(term->second)).value();
    if (term->second < 0 || !before) return std::nullopt;
    form.constant = *before;
  }
  return conditions;
}

void ExecutionDomains::add_iterations(
    const std::vector<std::pair<const llvm::Loop*, std::optional<Conditions>>>& iterations, ExecutionDomain& domain) {
  const Conditions others = domain.conditions;
  for (const auto& [loop, conditions] : iterations) {
    if (!conditions) domain.is_exact = false;
    if (!conditions) continue;
    for (const AddressForm& condition : *conditions) {
      AddressForm at_first = condition;
      at_first.terms.erase(forms_.counter_of(*loop));
      const auto all = forms_.values(at_first);
      const bool holds =
          (all && all->most <= 0) ||
          std::any_of(others.begin(), others.end(), [&](const AddressForm& o) { return is_no_weaker(o, at_first); });
      if (holds) {
        domain.conditions.push_back(condition);
      } else {
        domain.is_exact = false;
      }
    }
  }
}

ExecutionDomain ExecutionDomains::of(const llvm::BasicBlock& block) {
  ExecutionDomain domain;
  for (CounterId c = 0; c < block_counters; ++c) domain.counters.push_back(c);
  std::vector<std::pair<const llvm::Loop*, std::optional<Conditions>>> iterations;
  const llvm::BasicBlock* at = &block;
  for (const llvm::Loop* loop = loops_.getLoopFor(at); loop != nullptr; loop = loop->getParentLoop()) {
    climb(at, loop->getHeader(), domain);
    iterations.emplace_back(loop, next_iteration(*loop));
    domain.counters.push_back(forms_.counter_of(*loop));
    at = loop->getHeader();
  }
  climb(at, &dominators_.getRoot()->getParent()->getEntryBlock(), domain);
  add_iterations(iterations, domain);
  return domain;
}

ExecutionDomain ExecutionDomains::where(const llvm::Value& condition, ExecutionDomain domain) {
  add_implied(condition, true, domain);
  if (!add_literal(condition, true, domain.conditions)) domain.is_exact = false;
  return domain;
}

// What a condition is at least, but for the thread's offset and the term of one counter. Nothing if that is not known.
std::optional<int64_t> ExecutionDomains::least_of_threads(const AddressForm& condition,
                                                          std::optional<CounterId> but) const {
  if (condition.base != nullptr) return std::nullopt;
  Integer least = condition.constant;
  for (const auto& [counter, term] : condition.terms) {
    if (counter == but) continue;
    const auto count = forms_.count(counter);
    if (!count) return std::nullopt;
    if (term < 0) least += Integer(term) * (Integer(*count) - 1);
  }
  return least.value();
}

// By thread: whether it may come to the domain in some iteration.
std::vector<bool> ExecutionDomains::threads(const ExecutionDomain& domain) const {
  std::vector<bool> may_come(forms_.threads(), true);
  for (const AddressForm& condition : domain.conditions) {
    const auto least = least_of_threads(condition);
    if (!least) continue;
    const std::vector<int64_t> offsets = forms_.offsets(condition);
    for (size_t thread = 0; thread < offsets.size(); ++thread) {
      if ((Integer(offsets[thread]) + *least).is_at_least(1)) may_come[thread] = false;
    }
  }
  return may_come;
}

std::optional<int64_t> ExecutionDomains::warps(const ExecutionDomain& domain) const {
  const std::vector<bool> may_come = threads(domain);
  int64_t all = 0, some = 0;
  for (auto first = may_come.begin(); first != may_come.end(); ++all) {
    const auto end = first + std::min<ptrdiff_t>(ir::warp_lanes, may_come.end() - first);
    if (std::find(first, end, true) != end) ++some;
    first = end;
  }
  return some < all ? std::optional(some) : std::nullopt;
}

std::optional<Executing> ExecutionDomains::executing(const ExecutionDomain& domain) const {
  const auto some = warps(domain);
  const auto in = blocks(domain);
  if (!some && !in) return domain.by_votes;
  const Executing found = {some.value_or(warps_of_block()), in};
  return domain.by_votes ? smaller(found, *domain.by_votes) : found;
}

// A condition bounds each number of the block where all else of it is as small as it may be. Blocks whose numbers are
// within these bounds are at least those of which some thread meets all conditions.
std::optional<ir::SomeBlocks> ExecutionDomains::blocks(const ExecutionDomain& domain) const {
  Integer some = 1, all = 1;
  for (CounterId number = 0; number < block_counters; ++number) {
    const auto count = forms_.count(number);
    if (!count) return std::nullopt;
    int64_t first = 0, last = *count - 1;
    for (const AddressForm& condition : domain.conditions) {
      const auto term = condition.terms.find(number);
      if (term == condition.terms.end() || term->second == 0) continue;
      const auto rest = least_of_threads(condition, number);
      if (!rest) continue;
      const std::vector<int64_t> offsets = forms_.offsets(condition);
      const Integer least = Integer(*rest) + *std::min_element(offsets.begin(), offsets.end());
      const int64_t step = std::abs(term->second);
      // least + term * number <= 0
      const auto bound = (term->second > 0 ? floor_divide(Integer(0) - least, step) : ceil_divide(least, step)).value();
      if (!bound) continue;
      if (term->second > 0) last = std::min(last, *bound);
      if (term->second < 0) first = std::max(first, *bound);
    }
    some = some * std::max<int64_t>(0, last - first + 1);
    all = all * *count;
  }
  const auto few = some.value(), grid = all.value();
  if (!few || !grid || *few >= *grid) return std::nullopt;
  return ir::SomeBlocks{*few, *grid};
}

int64_t ExecutionDomains::lanes(const ExecutionDomain& domain) const {
  if (domain.is_elected) return 1;
  const std::vector<bool> may_come = threads(domain);
  int64_t most = 1;
  for (auto first = may_come.begin(); first != may_come.end();) {
    const auto end = first + std::min<ptrdiff_t>(ir::warp_lanes, may_come.end() - first);
    most = std::max<int64_t>(most, std::count(first, end, true));
    first = end;
  }
  return most;
}

}  // namespace warpspan::lift
