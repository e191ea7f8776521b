// SPDX-License-Identifier: GPL-3.0-or-later
// Let a and b be two phis of the header, of w bits, and let each iteration with b != 0 that another one follows make
// (a, b) to (b, a mod b), all unsigned or all signed. Let b_k be b in iteration k, and B the most that |b_1| can be. F
// is the sequence 1, 1, 2, 3, 5, ... of Fibonacci, from F(1) on, and n the largest number with F(n + 1) <= B, 0 if B =
// 0.
//
// Theorem. If every iteration that is followed by another one has b != 0 as it begins, the header runs n + 1 times at
// most. If it has b != 0 as it ends, the next b, max(n, 2) times. If they are signed, and a or b may be the least
// number of their type when the loop is entered, that rests on nothing being left of that number, divided by -1.
//
// Proof. |a mod b| < |b|, so |b_{k+1}| < |b_k| where b_k != 0. With b_k and b_{k+1} other than 0, b_{k+2} is b_k mod
// b_{k+1}, and |b_k| = q |b_{k+1}| + |b_{k+2}| with q >= 1, since |b_k| > |b_{k+1}| and rests have the sign of what is
// divided (or that of the divisor: all b_k have the same then). Let b_1 to b_m be other than 0. Then |b_m| >= 1 = F(2),
// |b_{m-1}| >= 2 = F(3) if m > 1, and by induction |b_{m-j}| >= F(j + 2), so that B >= |b_1| >= F(m + 1), and m <= n.
// If b is tested as an iteration begins, all iterations but the last one have it other than 0. If the next b is tested,
// all iterations but the first have; with b_1 = 0 the second one has a = 0 and b = anything, and makes b to 0: so there
// are no more than 2. Quotients of signed numbers overflow only if the least number, of w bits -2^(w-1), is divided by
// -1: the rest is 0 then, by assumption, and less than |-1|. The least number is a_k or b_k for k > 2 only if it was
// b_1, as |b_k| for k > 1 is less than |b_1| <= 2^(w-1), and a_k is b_{k-1}. QED.
//
// A remainder of numbers of 64 bits may be one of 32 bits, extended, where their upper halves are known to be 0, so
// that neither is negative. It may be computed as a - (a / b) * b, modulo 2^w; the quotient of the least number by -1,
// that number again, leaves 0 so. Of signed numbers it may be |a| mod |b| with the sign of a, |a| and |b| unsigned:
// rests have the sign of what is divided. Here nothing rests on what overflows leave: |-2^(w-1)| is 2^(w-1), and mod 1
// it is 0.

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>

#include "frontend/lift/trips/guards/conditions.hpp"
#include "frontend/lift/trips/methods/trip_methods.hpp"
#include "frontend/lift/values/extremes.hpp"

namespace warpspan::lift {

namespace {

namespace match = llvm::PatternMatch;
using llvm::PHINode;
using llvm::Value;

constexpr int deepest = 8;

class Rests {
 public:
  Rests(const LoopContext& context, PHINode& a, PHINode& b) : context_(context), a_(a), b_(b) {}

  Value& next(const PHINode& phi) const { return *phi.getIncomingValueForBlock(context_.loop.getLoopLatch()); }
  // Whether b becomes a mod b where it is not 0.
  bool are_next(bool is_signed) const { return is_rest(next(b_), is_signed, Comparisons(), 0); }

 private:
  bool is_own(const llvm::Instruction& instruction) const;
  bool are_low(const Comparisons& known, unsigned bits) const;
  bool is_number(const Value& value, const PHINode& phi, const Comparisons& known) const;
  bool is_divisor(Value& value, const Comparisons& known) const;
  bool is_none(Value& condition, const Comparisons& known) const;
  bool is_quotient(Value& value, bool is_signed, const Comparisons& known) const;
  Value& where_divisible(Value& value) const;
  bool is_rest_of_magnitudes(Value& value) const;
  bool is_signed_magnitude(llvm::SelectInst& select) const;
  bool is_rest(Value& value, bool is_signed, const Comparisons& known, int depth) const;

  const LoopContext& context_;
  PHINode& a_;
  PHINode& b_;
};

// Whether it runs at most once in an iteration.
bool Rests::is_own(const llvm::Instruction& instruction) const {
  return context_.loop.contains(&instruction) &&
         llvm::none_of(context_.loop.getSubLoops(),
                       [&](const llvm::Loop* inner) { return inner->contains(&instruction); });
}

// Whether both fit so many bits.
bool Rests::are_low(const Comparisons& known, unsigned bits) const {
  return llvm::any_of(known, [&](const Comparison& comparison) {
    const llvm::APInt* mask = nullptr;
    return comparison.predicate == llvm::CmpInst::ICMP_EQ && match::match(comparison.b, match::m_Zero()) &&
           match::match(comparison.a, match::m_And(match::m_c_Or(match::m_Specific(&a_), match::m_Specific(&b_)),
                                                   match::m_APInt(mask))) &&
           (~*mask).getActiveBits() <= bits;
  });
}

// The phi, or its low part where the other one is 0.
bool Rests::is_number(const Value& value, const PHINode& phi, const Comparisons& known) const {
  if (&value == &phi) return true;
  return match::match(&value, match::m_Trunc(match::m_Specific(&phi))) &&
         are_low(known, value.getType()->getIntegerBitWidth());
}

// Whether it is false where b is not 0 and nothing overflows.
bool Rests::is_none(Value& condition, const Comparisons& known) const {
  Value* left = nullptr;
  Value* right = nullptr;
  if (match::match(&condition, match::m_Or(match::m_Value(left), match::m_Value(right)))) {
    return is_none(*left, known) && is_none(*right, known);
  }
  llvm::ICmpInst::Predicate predicate = llvm::ICmpInst::ICMP_EQ;
  if (match::match(&condition, match::m_ICmp(predicate, match::m_Value(left), match::m_Zero()))) {
    return predicate == llvm::ICmpInst::ICMP_EQ && is_number(*left, b_, known);
  }
  // b = -1 and a the least number.
  llvm::ICmpInst::Predicate of_least = llvm::ICmpInst::ICMP_EQ;
  const llvm::APInt* least = nullptr;
  return match::match(&condition,
                      match::m_c_And(match::m_ICmp(predicate, match::m_Specific(&b_), match::m_AllOnes()),
                                     match::m_ICmp(of_least, match::m_Specific(&a_), match::m_APInt(least)))) &&
         predicate == llvm::ICmpInst::ICMP_EQ && of_least == llvm::ICmpInst::ICMP_EQ && least->isMinSignedValue();
}

bool Rests::is_divisor(Value& value, const Comparisons& known) const {
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&value)) {
    return is_none(*select->getCondition(), known) && is_number(*select->getFalseValue(), b_, known);
  }
  return is_number(value, b_, known);
}

// Whether it is a / b.
bool Rests::is_quotient(Value& value, bool is_signed, const Comparisons& known) const {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr || !is_own(*instruction)) return false;
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(instruction)) {
    return is_none(*select->getCondition(), known) && is_quotient(*select->getFalseValue(), is_signed, known);
  }
  return instruction->getOpcode() == (is_signed ? llvm::Instruction::SDiv : llvm::Instruction::UDiv) &&
         is_number(*instruction->getOperand(0), a_, known) && is_divisor(*instruction->getOperand(1), known);
}

// What is chosen where b is not 0, if it is a choice by that.
Value& Rests::where_divisible(Value& value) const {
  llvm::ICmpInst::Predicate predicate = llvm::ICmpInst::ICMP_EQ;
  Value *tested = nullptr, *other = nullptr;
  const auto is_zero = match::m_ICmp(predicate, match::m_Value(tested), match::m_Zero());
  const bool is_choice = match::match(&value, match::m_Select(is_zero, match::m_Value(), match::m_Value(other)));
  return is_choice && predicate == llvm::ICmpInst::ICMP_EQ && signed_number(*tested) == &b_ ? *other : value;
}

// Whether it is |a| mod |b| where b is not 0.
bool Rests::is_rest_of_magnitudes(Value& value) const {
  auto* rest = llvm::dyn_cast<llvm::Instruction>(&where_divisible(value));
  return rest != nullptr && rest->getOpcode() == llvm::Instruction::URem && is_own(*rest) &&
         signed_number(*rest->getOperand(0)) == &a_ && signed_number(where_divisible(*rest->getOperand(1))) == &b_;
}

// Whether it is that with the sign of a.
bool Rests::is_signed_magnitude(llvm::SelectInst& select) const {
  llvm::ICmpInst::Predicate predicate = llvm::ICmpInst::ICMP_EQ;
  if (!match::match(select.getCondition(), match::m_ICmp(predicate, match::m_Specific(&a_), match::m_Zero())))
    return false;
  if (predicate != llvm::ICmpInst::ICMP_SGE && predicate != llvm::ICmpInst::ICMP_SLT) return false;
  const bool is_negative = predicate == llvm::ICmpInst::ICMP_SLT;
  Value& negative = is_negative ? *select.getTrueValue() : *select.getFalseValue();
  Value& positive = is_negative ? *select.getFalseValue() : *select.getTrueValue();
  return match::match(&negative, match::m_Neg(match::m_Specific(&positive))) && is_rest_of_magnitudes(positive);
}

bool Rests::is_rest(Value& value, bool is_signed, const Comparisons& known, int depth) const {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr || depth > deepest || !is_own(*instruction)) return false;
  if (instruction->getOpcode() == (is_signed ? llvm::Instruction::SRem : llvm::Instruction::URem)) {
    return is_number(*instruction->getOperand(0), a_, known) && is_divisor(*instruction->getOperand(1), known);
  }
  Value* quotient = nullptr;
  if (match::match(instruction, match::m_Sub(match::m_Specific(&a_),
                                             match::m_c_Mul(match::m_Specific(&b_), match::m_Value(quotient))))) {
    return is_quotient(*quotient, is_signed, known);
  }
  if (llvm::isa<llvm::ZExtInst>(instruction)) {
    return is_rest(*instruction->getOperand(0), false, known, depth + 1);
  }
  const auto is_part = [&](Value& part, const Comparisons& implied) {
    Comparisons all = known;
    all.append(implied.begin(), implied.end());
    return is_rest(part, is_signed, all, depth + 1);
  };
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(instruction)) {
    if (is_signed && is_signed_magnitude(*select)) return true;
    if (is_none(*select->getCondition(), known)) return is_part(*select->getFalseValue(), {});
    for (const bool side : {true, false}) {
      Comparisons implied;
      add_comparisons(*select->getCondition(), side, context_.dominators, implied);
      if (!is_part(side ? *select->getTrueValue() : *select->getFalseValue(), implied)) return false;
    }
    return true;
  }
  const auto* phi = llvm::dyn_cast<PHINode>(instruction);
  if (phi == nullptr || phi->getParent() == context_.loop.getHeader()) return false;
  return llvm::all_of(phi->blocks(), [&](const llvm::BasicBlock* from) {
    return is_part(*phi->getIncomingValueForBlock(from),
                   comparisons_on_edge(*from, *phi->getParent(), *context_.loop.getHeader(), context_.dominators));
  });
}

// Whether it implies that a is not 0.
bool excludes_zero(const Comparison& comparison) {
  const llvm::APInt* number = nullptr;
  return match::match(comparison.b, match::m_APInt(number)) &&
         !llvm::ICmpInst::compare(llvm::APInt::getZero(number->getBitWidth()), *number, comparison.predicate);
}

// n of the theorem.
int64_t most_steps(const llvm::APInt& most) {
  llvm::APInt last(most.getBitWidth() + 2, 1), next(most.getBitWidth() + 2, 1);  // F(n + 1), F(n + 2)
  int64_t steps = 0;
  for (const llvm::APInt end = most.zext(last.getBitWidth()); next.ule(end); ++steps) {
    last += next;
    std::swap(last, next);
  }
  return steps;
}

// B of the theorem.
llvm::APInt most_of(const llvm::ConstantRange& b, bool is_signed) {
  if (b.isEmptySet()) return llvm::APInt(b.getBitWidth(), 0);
  return is_signed ? llvm::APIntOps::umax(b.getSignedMin().abs(), b.getSignedMax().abs()) : b.getUnsignedMax();
}

bool may_be_least(const llvm::ConstantRange& range) {
  return range.contains(llvm::APInt::getSignedMinValue(range.getBitWidth()));
}

}  // namespace

std::optional<Trips> trips_by_gcd(const TripContext& context) {
  const llvm::Loop& loop = context.loop;
  if (loop.getLoopLatch() == nullptr) return std::nullopt;
  const Comparisons stays = comparisons_of_every_iteration(context);
  std::optional<Trips> best;
  for (PHINode& a : loop.getHeader()->phis()) {
    auto* b = llvm::dyn_cast<PHINode>(a.getIncomingValueForBlock(loop.getLoopLatch()));
    if (b == nullptr || b == &a || b->getParent() != loop.getHeader() || !a.getType()->isIntegerTy()) continue;
    const Rests rests(context, a, *b);
    for (const bool is_signed : {false, true}) {
      if (!rests.are_next(is_signed)) continue;
      const llvm::ConstantRange of_a = range_on_entry(a, context);
      const llvm::ConstantRange of_b = range_on_entry(*b, context);
      const bool divides_least = is_signed && (may_be_least(of_a) || may_be_least(of_b));
      for (const Comparison& comparison : stays) {
        const bool at_begin = comparison.a == b, at_end = comparison.a == &rests.next(*b);
        if ((!at_begin && !at_end) || !excludes_zero(comparison)) continue;
        const int64_t steps = most_steps(most_of(of_b, is_signed));
        const int64_t iterations = at_begin ? steps + 1 : std::max<int64_t>(steps, 2);
        if (!best || iterations < best->bound.most)
          best = Trips{.bound = {iterations, 1}, .divides_least = divides_least};
      }
    }
  }
  return best;
}

}  // namespace warpspan::lift
