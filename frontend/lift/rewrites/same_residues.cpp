// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Let a be computed before b, on every path to b, and let scalar evolution have the same expression for both.
// Then b is what a was when it was computed last. Proof. Both are that expression, of values and of iterations of loops
// as they are when b, and when a is computed. Let w be such a value, or the phi of a header that counts iterations. It
// dominates a, which is computed from it. Were w computed anew behind the last a and before b, then a path would lead
// from w to b without a; and as w can be reached without a from the entry, b could. So w is the same for both. QED
//
// What is computed from a constant alone has no such w, and is the same anyway. That what follows uses a instead of b
// changes no expression of scalar evolution.
#include "frontend/lift/rewrites/same_residues.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/PatternMatch.h>

namespace warpspan::lift {

namespace {

namespace match = llvm::PatternMatch;

constexpr uint64_t most = 63;  // of iterations that are left

bool is_residue(const llvm::Instruction& instruction) {
  const llvm::APInt* mask = nullptr;
  return match::match(&instruction, match::m_And(match::m_Value(), match::m_APInt(mask))) && mask->isMask() &&
         mask->ule(most);
}

}  // namespace

bool rewrite_same_residues(LoopAnalyses& analyses) {
  if (analyses.loops.empty()) return false;
  llvm::DenseMap<const llvm::SCEV*, llvm::SmallVector<llvm::Instruction*, 2>> known;
  bool any = false;
  for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&analyses.function)) {
    for (llvm::Instruction& instruction : *block) {
      if (instruction.use_empty() || !is_residue(instruction)) continue;
      auto& before = known[analyses.evolution.getSCEV(&instruction)];
      const auto* same = llvm::find_if(
          before, [&](const llvm::Instruction* other) { return analyses.dominators.dominates(other, &instruction); });
      if (same == before.end()) {
        before.push_back(&instruction);
      } else {
        instruction.replaceAllUsesWith(*same);
        any = true;
      }
    }
  }
  return any;
}

}  // namespace warpspan::lift
