#include "frontend/lift/rewrites/masks.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/PatternMatch.h>

namespace warpspan::lift {

namespace match = llvm::PatternMatch;

llvm::Value* cleared_bits(llvm::Instruction& instruction) {
  llvm::Value* number = nullptr;
  llvm::Value* part = nullptr;
  const bool subtracts =
      match::match(&instruction, match::m_Sub(match::m_Value(number), match::m_Value(part))) ||
      match::match(&instruction, match::m_c_Add(match::m_Neg(match::m_Value(part)), match::m_Value(number)));
  const llvm::APInt* mask = nullptr;
  if (!subtracts || !match::match(part, match::m_c_And(match::m_Specific(number), match::m_APInt(mask))))
    return nullptr;
  return llvm::BinaryOperator::CreateAnd(number, llvm::ConstantInt::get(number->getType(), ~*mask), "", &instruction);
}

}  // namespace warpspan::lift
