// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/trips/guards/saturation.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace warpspan::lift {

namespace {

namespace match = llvm::PatternMatch;
using llvm::CmpInst;

// Whether the condition, or where it is negated its contrary, is that x is above zero, in either form.
bool is_above_zero(const llvm::Value& condition, bool negated, const llvm::Value& x) {
  const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&condition);
  if (comparison == nullptr || comparison->getOperand(0) != &x) return false;
  const auto* limit = llvm::dyn_cast<llvm::ConstantInt>(comparison->getOperand(1));
  if (limit == nullptr) return false;
  const CmpInst::Predicate predicate =
      negated ? comparison->getInversePredicate() : static_cast<CmpInst::Predicate>(comparison->getPredicate());
  return (predicate == CmpInst::ICMP_SGT && limit->isZero()) || (predicate == CmpInst::ICMP_SGE && limit->isOne());
}

}  // namespace

const llvm::Value* saturated_counter(const llvm::Value& value) {
  const llvm::Value *x = nullptr, *condition = nullptr;
  const auto chosen = match::m_Select(match::m_Value(condition), match::m_AllOnes(), match::m_Zero());
  const auto left_out = match::m_Select(match::m_Value(condition), match::m_Zero(), match::m_AllOnes());
  const auto extended = match::m_SExt(match::m_Value(condition));
  const bool is_sum = match::match(&value, match::m_c_Add(chosen, match::m_Value(x))) ||
                      match::match(&value, match::m_c_Add(extended, match::m_Value(x)));
  if (is_sum) return is_above_zero(*condition, false, *x) ? x : nullptr;
  const bool is_other = match::match(&value, match::m_c_Add(left_out, match::m_Value(x)));
  return is_other && is_above_zero(*condition, true, *x) ? x : nullptr;
}

llvm::ConstantRange saturated_decrement(const llvm::ConstantRange& numbers) {
  if (numbers.isEmptySet()) return numbers;
  const auto next = [](const llvm::APInt& x) { return x.isStrictlyPositive() ? x - 1 : x; };
  return llvm::ConstantRange::getNonEmpty(next(numbers.getSignedMin()), next(numbers.getSignedMax()) + 1);
}

}  // namespace warpspan::lift
