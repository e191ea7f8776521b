// SPDX-License-Identifier: GPL-3.0-or-later
// The k lowest bits of sums, differences, products and of what is computed bit by bit follow from those of the
// operands.
//
// Theorem. Let a phi of a loop's header get v & (2^k - 1) by an edge back, and let all that is computed from the phi by
// such operations, itself too, be used by them, by conjunctions with constants below 2^k, and by the phi alone. If the
// phi gets v instead, no other value changes. Proof. By induction over the iterations the phi has the same k lowest
// bits as before, so what those operations give has, and the conjunctions are the same numbers. QED
#include "frontend/lift/rewrites/carried_masks.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace warpspan::lift {

namespace {

using llvm::Instruction;
using llvm::Value;

constexpr size_t most_users = 256;

// Whether nobody looks at other bits of the phi than those of the mask.
bool only_matters_below(llvm::PHINode& phi, const llvm::APInt& mask) {
  llvm::SmallPtrSet<const Instruction*, 16> seen;
  llvm::SmallVector<Instruction*, 16> open = {&phi};
  while (!open.empty()) {
    Instruction* value = open.pop_back_val();
    if (!seen.insert(value).second) continue;
    if (seen.size() > most_users) return false;
    for (llvm::User* user : value->users()) {
      if (user == &phi) continue;
      auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(user);
      if (operation == nullptr) return false;
      switch (operation->getOpcode()) {
        case Instruction::And: {
          const auto* other =
              llvm::dyn_cast<llvm::ConstantInt>(operation->getOperand(operation->getOperand(0) == value));
          if (other != nullptr && other->getValue().isSubsetOf(mask)) continue;
          break;
        }
        case Instruction::Add:
        case Instruction::Sub:
        case Instruction::Mul:
        case Instruction::Or:
        case Instruction::Xor: break;
        default: return false;
      }
      open.push_back(operation);
    }
  }
  return true;
}

bool rewrite(llvm::PHINode& phi, const llvm::Loop& loop) {
  bool any = false;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    Value* value = nullptr;
    const llvm::APInt* mask = nullptr;
    if (!loop.contains(phi.getIncomingBlock(i))) continue;
    const auto masked =
        llvm::PatternMatch::m_And(llvm::PatternMatch::m_Value(value), llvm::PatternMatch::m_APInt(mask));
    if (!llvm::PatternMatch::match(phi.getIncomingValue(i), masked)) continue;
    if (!mask->isMask() || !only_matters_below(phi, *mask)) continue;
    phi.setIncomingValue(i, value);
    any = true;
  }
  return any;
}

}  // namespace

bool rewrite_carried_masks(LoopAnalyses& analyses) {
  bool any = false;
  for (const llvm::Loop* loop : analyses.loops.getLoopsInPreorder()) {
    for (llvm::PHINode& phi : loop->getHeader()->phis()) {
      if (phi.getType()->isIntegerTy()) any = rewrite(phi, *loop) || any;
    }
  }
  return any;
}

}  // namespace warpspan::lift
