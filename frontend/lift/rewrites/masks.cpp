// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/rewrites/masks.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/DemandedBits.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

namespace warpspan::lift {

namespace {

using llvm::Value;
namespace match = llvm::PatternMatch;

constexpr size_t most_terms = 8;
constexpr int deepest = 4;

// Values that are added and subtracted, and a constant.
struct Sum {
  explicit Sum(unsigned bits) : constant(bits, 0) {}

  struct Term {
    Value* value;
    bool negative;
  };
  llvm::SmallVector<Term, most_terms> terms;
  llvm::APInt constant;

  // False: they are too many.
  bool add(Value* value, bool negative) {
    const llvm::APInt* number = nullptr;
    Value *a = nullptr, *b = nullptr;
    if (match::match(value, match::m_APInt(number))) {
      constant += negative ? -*number : *number;
      return true;
    }
    if (match::match(value, match::m_Add(match::m_Value(a), match::m_Value(b)))) {
      return add(a, negative) && add(b, negative);
    }
    if (match::match(value, match::m_Sub(match::m_Value(a), match::m_Value(b)))) {
      return add(a, negative) && add(b, !negative);
    }
    if (match::match(value, match::m_Not(match::m_Value(a)))) {
      constant += negative ? 1 : -1;
      return add(a, !negative);
    }
    terms.push_back({value, negative});
    return terms.size() <= most_terms;
  }
};

// Whether two values that dominate an instruction are the same there: computed alike from the same. What they are
// computed from has not changed since, as it dominates them.
bool are_same(Value* a, Value* b, int depth = deepest) {
  if (a == b) return true;
  if (depth == 0) return false;
  Value *a1 = nullptr, *a2 = nullptr, *b1 = nullptr, *b2 = nullptr;
  const auto both = [&](const auto& chosen_a, const auto& chosen_b) {
    return match::match(a, chosen_a) && match::match(b, chosen_b) &&
           ((are_same(a1, b1, depth - 1) && are_same(a2, b2, depth - 1)) ||
            (are_same(a1, b2, depth - 1) && are_same(a2, b1, depth - 1)));
  };
  if (both(match::m_SMin(match::m_Value(a1), match::m_Value(a2)),
           match::m_SMin(match::m_Value(b1), match::m_Value(b2))))
    return true;
  if (both(match::m_SMax(match::m_Value(a1), match::m_Value(a2)),
           match::m_SMax(match::m_Value(b1), match::m_Value(b2))))
    return true;
  const auto* x = llvm::dyn_cast<llvm::BinaryOperator>(a);
  const auto* y = llvm::dyn_cast<llvm::BinaryOperator>(b);
  return x != nullptr && y != nullptr && x->getOpcode() == y->getOpcode() &&
         are_same(x->getOperand(0), y->getOperand(0), depth - 1) &&
         are_same(x->getOperand(1), y->getOperand(1), depth - 1);
}

// Whether the terms are those of the whole, and one more.
bool are_others(const Sum& sum, size_t one, const Sum& whole) {
  if (sum.terms.size() != whole.terms.size() + 1) return false;
  llvm::SmallVector<bool, most_terms> taken(whole.terms.size());
  for (size_t i = 0; i < sum.terms.size(); ++i) {
    if (i == one) continue;
    size_t j = 0;
    while (j < taken.size() && (taken[j] || whole.terms[j].negative != sum.terms[i].negative ||
                                !are_same(whole.terms[j].value, sum.terms[i].value)))
      ++j;
    if (j == taken.size()) return false;
    taken[j] = true;
  }
  return true;
}

}  // namespace

llvm::Value* cleared_bits(llvm::Instruction& instruction) {
  if (instruction.getOpcode() != llvm::Instruction::Add && instruction.getOpcode() != llvm::Instruction::Sub)
    return nullptr;
  const unsigned bits = instruction.getType()->getIntegerBitWidth();
  Sum sum(bits);
  if (!sum.add(&instruction, false)) return nullptr;
  for (size_t i = 0; i < sum.terms.size(); ++i) {
    const llvm::APInt* mask = nullptr;
    Value* number = nullptr;
    if (!sum.terms[i].negative) continue;
    if (!match::match(sum.terms[i].value, match::m_c_And(match::m_Value(number), match::m_APInt(mask)))) continue;
    Sum whole(bits);
    if (!whole.add(number, false) || whole.terms.empty() || !are_others(sum, i, whole)) continue;
    llvm::IRBuilder<> ir(&instruction);
    Value* cleared = ir.CreateAnd(number, llvm::ConstantInt::get(number->getType(), ~*mask));
    const llvm::APInt more = sum.constant - whole.constant;
    // Of a sum of several, a multiple and a number tell less of how far two of its values are apart than it does.
    const auto operands = instruction.operand_values();
    if (!more.isZero() && llvm::find(operands, sum.terms[i].value) == operands.end()) continue;
    return more.isZero() ? cleared : ir.CreateAdd(cleared, llvm::ConstantInt::get(number->getType(), more));
  }
  return nullptr;
}

// A bit that is not demanded may have any value: no call, branch or comparison is another one for it. Nothing of ours
// is nsw or nuw, and of the sums that are written as a disjoint `or` the operands have no bit in common whatever is in
// them.
bool drop_unused_bits(llvm::Function& function) {
  llvm::DominatorTree dominators(function);
  llvm::AssumptionCache assumptions(function);
  llvm::DemandedBits bits(function, assumptions, dominators);
  llvm::SmallVector<llvm::Instruction*, 8> unused;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const llvm::APInt* mask = nullptr;
    if (instruction.use_empty() || !match::match(&instruction, match::m_And(match::m_Value(), match::m_APInt(mask))))
      continue;
    if (!bits.getDemandedBits(&instruction).intersects(*mask)) unused.push_back(&instruction);
  }
  for (llvm::Instruction* instruction : unused)
    instruction->replaceAllUsesWith(llvm::ConstantInt::get(instruction->getType(), 0));
  return !unused.empty();
}

}  // namespace warpspan::lift
