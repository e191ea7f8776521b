// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels count with sign what never is below 0, and divide it with sign: the number of a thread that a loop moves on.
// Machine code divides absolute values, and gives the quotient the sign of n ^ b.
//
// The sign of a number is that of all values in its range; that of a ^ b, a | b and a & b follows bit by bit from those
// of a and b. Branches stay: trip counts look at what they compare.
#include "frontend/lift/rewrites/known_signs.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>
#include <utility>

namespace warpspan::lift {

namespace {

namespace match = llvm::PatternMatch;
using llvm::CmpInst;
using llvm::Value;

constexpr int deepest = 4;

std::optional<bool> is_negative(Value& value, llvm::ScalarEvolution& evolution, int depth = 0) {
  const llvm::SCEV* number = evolution.getSCEV(&value);
  if (evolution.getSignedRangeMax(number).isNegative()) return true;
  if (evolution.getSignedRangeMin(number).isNonNegative()) return false;
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (depth == deepest || operation == nullptr || !operation->isBitwiseLogicOp()) return std::nullopt;
  const auto a = is_negative(*operation->getOperand(0), evolution, depth + 1);
  const auto b = is_negative(*operation->getOperand(1), evolution, depth + 1);
  switch (operation->getOpcode()) {
    case llvm::Instruction::Xor: return a && b ? std::optional(*a != *b) : std::nullopt;
    case llvm::Instruction::Or:
      if ((a && *a) || (b && *b)) return true;
      return a && b ? std::optional(false) : std::nullopt;
    default:
      if ((a && !*a) || (b && !*b)) return false;
      return a && b ? std::optional(true) : std::nullopt;
  }
}

// Whether the condition holds, where that is a matter of a sign.
std::optional<bool> holds(Value& condition, llvm::ScalarEvolution& evolution) {
  Value* inverted = nullptr;
  if (match::match(&condition, match::m_Not(match::m_Value(inverted)))) {
    const auto other = holds(*inverted, evolution);
    return other ? std::optional(!*other) : std::nullopt;
  }
  CmpInst::Predicate predicate{};
  Value* number = nullptr;
  const bool with_zero = match::match(&condition, match::m_ICmp(predicate, match::m_Value(number), match::m_Zero()));
  if (!with_zero && !match::match(&condition, match::m_ICmp(predicate, match::m_Value(number), match::m_AllOnes())))
    return std::nullopt;
  if (!number->getType()->isIntegerTy()) return std::nullopt;
  const auto is_below = predicate == (with_zero ? CmpInst::ICMP_SLT : CmpInst::ICMP_SLE);
  if (!is_below && predicate != (with_zero ? CmpInst::ICMP_SGE : CmpInst::ICMP_SGT)) return std::nullopt;
  const auto negative = is_negative(*number, evolution);
  return negative ? std::optional(*negative == is_below) : std::nullopt;
}

}  // namespace

bool rewrite_known_signs(LoopAnalyses& analyses) {
  llvm::SmallVector<std::pair<llvm::Instruction*, Value*>, 8> all;
  for (llvm::Instruction& instruction : llvm::instructions(analyses.function)) {
    auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
    if (select == nullptr || select->use_empty() || llvm::isa<llvm::Constant>(select->getCondition())) continue;
    const auto is_true = holds(*select->getCondition(), analyses.evolution);
    if (is_true) all.emplace_back(select, *is_true ? select->getTrueValue() : select->getFalseValue());
  }
  for (const auto& [instruction, value] : all) instruction->replaceAllUsesWith(value);
  return !all.empty();
}

}  // namespace warpspan::lift
