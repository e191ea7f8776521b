// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/rewrites/complements.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>

namespace warpspan::lift {

namespace {

using llvm::Value;
using namespace llvm::PatternMatch;

// Of ~a and a constant, as a choice of the larger or smaller of the two. What chooses other values too stays: they may
// be halves of this one.
Value* complement_of_choice(llvm::Instruction& instruction, llvm::CmpInst::Predicate chosen, Value* a,
                            const llvm::APInt& constant) {
  const auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
  if (select == nullptr || !select->getCondition()->hasOneUse()) return nullptr;
  llvm::IRBuilder<> ir(&instruction);
  Value* other = llvm::ConstantInt::get(a->getType(), ~constant);
  return ir.CreateNot(ir.CreateSelect(ir.CreateICmp(chosen, a, other), a, other));
}

}  // namespace

Value* simpler_complement(llvm::Instruction& instruction) {
  using llvm::CmpInst;
  Value *a = nullptr, *b = nullptr;
  const llvm::APInt* constant = nullptr;
  llvm::IRBuilder<> ir(&instruction);
  if (match(&instruction, m_Sub(m_APInt(constant), m_Not(m_Value(a))))) {
    return ir.CreateAdd(a, llvm::ConstantInt::get(a->getType(), *constant + 1));
  }
  const bool is_variable_sum = match(&instruction, m_c_Add(m_Value(a), m_Not(m_Value(b)))) &&
                               !llvm::isa<llvm::Constant>(a) && !llvm::isa<llvm::Constant>(b);
  if (is_variable_sum) return ir.CreateNot(ir.CreateSub(b, a));
  if (match(&instruction, m_SMax(m_Not(m_Value(a)), m_APInt(constant))))
    return complement_of_choice(instruction, CmpInst::ICMP_SLT, a, *constant);
  if (match(&instruction, m_SMin(m_Not(m_Value(a)), m_APInt(constant))))
    return complement_of_choice(instruction, CmpInst::ICMP_SGT, a, *constant);
  if (match(&instruction, m_UMax(m_Not(m_Value(a)), m_APInt(constant))))
    return complement_of_choice(instruction, CmpInst::ICMP_ULT, a, *constant);
  if (match(&instruction, m_UMin(m_Not(m_Value(a)), m_APInt(constant))))
    return complement_of_choice(instruction, CmpInst::ICMP_UGT, a, *constant);
  return nullptr;
}

}  // namespace warpspan::lift
