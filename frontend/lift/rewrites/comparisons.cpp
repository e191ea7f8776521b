// SPDX-License-Identifier: GPL-3.0-or-later
// Comparing an extension with a constant.
//
// Let x have w bits, e(x) be its extension to W > w bits, and C be a constant of W bits whose lower w bits are c.
//  - e extends by zeros and C < 2^w, unsigned: e(x) and x are the same number, and so are C and c; unsigned comparisons
//    and equality of these carry over. Signed comparisons of e(x) and C, which are not negative, are unsigned ones.
//  - e extends by the sign and C = e(c): e keeps the signed order, and the unsigned one too, because it takes the upper
//    half of the numbers of w bits to the top of those of W bits. Every comparison carries over.
//  - e extends by the sign and C, unsigned, is above all e(x) >= 0 and below all e(x) < 0: e(x) < C or e(x) <= C,
//    unsigned, where x is not negative, and e(x) > C or e(x) >= C where x is negative.
// Other constants make comparisons that do not depend on x; they stay as they are.
#include "frontend/lift/rewrites/comparisons.hpp"

#include <llvm/IR/PatternMatch.h>

#include <optional>

namespace warpspan::lift {

namespace {

using llvm::APInt;
using llvm::CmpInst;

llvm::ICmpInst* compare_before(llvm::Instruction& instruction, CmpInst::Predicate predicate, llvm::Value* a,
                               llvm::Value* b) {
  auto* comparison = new llvm::ICmpInst(instruction.getIterator(), predicate, a, b);
  comparison->copyMetadata(instruction);
  return comparison;
}

llvm::Value* reverse(llvm::Instruction& instruction) {
  llvm::Value* inverted = nullptr;
  if (!llvm::PatternMatch::match(&instruction, llvm::PatternMatch::m_Not(llvm::PatternMatch::m_Value(inverted)))) {
    return nullptr;
  }
  const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(inverted);
  if (comparison == nullptr) return nullptr;
  return compare_before(instruction, comparison->getInversePredicate(), comparison->getOperand(0),
                        comparison->getOperand(1));
}

// A comparison with a constant of fewer bits.
struct Narrow {
  CmpInst::Predicate predicate;
  APInt constant;
};

std::optional<Narrow> without_zeros(CmpInst::Predicate predicate, const APInt& constant, unsigned bits) {
  if (constant.getActiveBits() > bits) return std::nullopt;
  return Narrow{llvm::ICmpInst::getUnsignedPredicate(predicate), constant.trunc(bits)};
}

std::optional<Narrow> without_sign(CmpInst::Predicate predicate, const APInt& constant, unsigned bits) {
  if (constant.getSignificantBits() <= bits) return Narrow{predicate, constant.trunc(bits)};
  switch (predicate) {
    case CmpInst::ICMP_ULT:
    case CmpInst::ICMP_ULE: return Narrow{CmpInst::ICMP_SGE, APInt(bits, 0)};
    case CmpInst::ICMP_UGT:
    case CmpInst::ICMP_UGE: return Narrow{CmpInst::ICMP_SLT, APInt(bits, 0)};
    default: return std::nullopt;
  }
}

llvm::Value* narrow(llvm::Instruction& instruction) {
  auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
  if (comparison == nullptr) return nullptr;
  const bool swapped = llvm::isa<llvm::ConstantInt>(comparison->getOperand(0));
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(comparison->getOperand(swapped ? 0 : 1));
  auto* extension = llvm::dyn_cast<llvm::CastInst>(comparison->getOperand(swapped ? 1 : 0));
  if (constant == nullptr || extension == nullptr) return nullptr;
  const auto predicate = swapped ? comparison->getSwappedPredicate() : comparison->getPredicate();
  llvm::Value* value = extension->getOperand(0);
  const unsigned bits = value->getType()->getIntegerBitWidth();
  std::optional<Narrow> found;
  if (llvm::isa<llvm::ZExtInst>(extension)) found = without_zeros(predicate, constant->getValue(), bits);
  if (llvm::isa<llvm::SExtInst>(extension)) found = without_sign(predicate, constant->getValue(), bits);
  if (!found) return nullptr;
  return compare_before(instruction, found->predicate, value,
                        llvm::ConstantInt::get(instruction.getContext(), found->constant));
}

}  // namespace

llvm::Value* simpler_comparison(llvm::Instruction& instruction) {
  llvm::Value* opposite = reverse(instruction);
  return opposite != nullptr ? opposite : narrow(instruction);
}

}  // namespace warpspan::lift
