// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/rewrites/phi_ranges.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>

namespace warpspan::lift {

namespace {

llvm::ConstantRange range_of(llvm::ScalarEvolution& evolution, llvm::Value& value) {
  const llvm::SCEV* number = evolution.getSCEV(&value);
  return evolution.getUnsignedRange(number).intersectWith(evolution.getSignedRange(number),
                                                          llvm::ConstantRange::Smallest);
}

void note_range(llvm::PHINode& phi, llvm::ScalarEvolution& evolution) {
  auto all = llvm::ConstantRange::getEmpty(phi.getType()->getIntegerBitWidth());
  bool is_never_taken = false;
  for (llvm::Value* value : phi.incoming_values()) {
    if (llvm::isa<llvm::UndefValue>(value)) {
      is_never_taken = true;
    } else {
      all = all.unionWith(range_of(evolution, *value));
    }
  }
  if (!is_never_taken || all.isEmptySet() || all.isFullSet()) return;
  phi.setMetadata(llvm::LLVMContext::MD_range,
                  llvm::MDBuilder(phi.getContext()).createRange(all.getLower(), all.getUpper()));
}

}  // namespace

void note_phi_ranges(LoopAnalyses& analyses) {
  for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&analyses.function)) {
    if (analyses.loops.isLoopHeader(block)) continue;
    for (llvm::PHINode& phi : block->phis()) {
      if (phi.getType()->isIntegerTy()) note_range(phi, analyses.evolution);
    }
  }
}

}  // namespace warpspan::lift
