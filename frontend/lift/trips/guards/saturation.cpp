#include "frontend/lift/trips/guards/saturation.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace warpspan::lift {

namespace {

namespace match = llvm::PatternMatch;
using llvm::CmpInst;

// Whether the condition is that x is above zero, in either form.
bool is_above_zero(const llvm::Value& condition, const llvm::Value& x) {
  const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&condition);
  if (comparison == nullptr || comparison->getOperand(0) != &x) return false;
  const auto* limit = llvm::dyn_cast<llvm::ConstantInt>(comparison->getOperand(1));
  if (limit == nullptr) return false;
  return (comparison->getPredicate() == CmpInst::ICMP_SGT && limit->isZero()) ||
         (comparison->getPredicate() == CmpInst::ICMP_SGE && limit->isOne());
}

}  // namespace

const llvm::Value* saturated_counter(const llvm::Value& value) {
  const llvm::Value *x = nullptr, *condition = nullptr;
  const auto chosen = match::m_Select(match::m_Value(condition), match::m_AllOnes(), match::m_Zero());
  const auto extended = match::m_SExt(match::m_Value(condition));
  const bool is_sum = match::match(&value, match::m_c_Add(chosen, match::m_Value(x))) ||
                      match::match(&value, match::m_c_Add(extended, match::m_Value(x)));
  return is_sum && is_above_zero(*condition, *x) ? x : nullptr;
}

llvm::ConstantRange saturated_decrement(const llvm::ConstantRange& numbers) {
  if (numbers.isEmptySet()) return numbers;
  const auto next = [](const llvm::APInt& x) { return x.isStrictlyPositive() ? x - 1 : x; };
  return llvm::ConstantRange::getNonEmpty(next(numbers.getSignedMin()), next(numbers.getSignedMax()) + 1);
}

}  // namespace warpspan::lift
