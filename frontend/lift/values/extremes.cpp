// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/values/extremes.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace warpspan::lift {

std::optional<Extreme> extreme_of(const llvm::Value& value) {
  using namespace llvm::PatternMatch;
  llvm::Value *a = nullptr, *b = nullptr;
  if (!value.getType()->isIntegerTy()) return std::nullopt;
  if (match(&value, m_SMin(m_Value(a), m_Value(b)))) return Extreme{a, b, true, true};
  if (match(&value, m_SMax(m_Value(a), m_Value(b)))) return Extreme{a, b, false, true};
  if (match(&value, m_UMin(m_Value(a), m_Value(b)))) return Extreme{a, b, true, false};
  if (match(&value, m_UMax(m_Value(a), m_Value(b)))) return Extreme{a, b, false, false};
  return std::nullopt;
}

llvm::Value* signed_number(llvm::Value& value) {
  llvm::Value *number = nullptr, *negative = nullptr;
  const bool is_absolute =
      llvm::isa<llvm::SelectInst>(value) && llvm::matchSelectPattern(&value, number, negative).Flavor == llvm::SPF_ABS;
  return is_absolute ? number : nullptr;
}

}  // namespace warpspan::lift
