// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/rewrites/masks.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
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
  llvm::Value* whole = nullptr;
  if (!subtracts || !match::match(part, match::m_c_And(match::m_Value(whole), match::m_APInt(mask)))) return nullptr;
  const llvm::APInt* added = nullptr;
  const bool is_sum = match::match(whole, match::m_Add(match::m_Specific(number), match::m_APInt(added)));
  if (whole != number && !is_sum) return nullptr;
  llvm::IRBuilder<> ir(&instruction);
  llvm::Value* cleared = ir.CreateAnd(whole, llvm::ConstantInt::get(number->getType(), ~*mask));
  return is_sum ? ir.CreateAdd(cleared, llvm::ConstantInt::get(number->getType(), -*added)) : cleared;
}

}  // namespace warpspan::lift
