// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/counting_away.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include "frontend/lift/rewrites/loop_analyses.hpp"
#include "frontend/lift/trips/guards/conditions.hpp"

namespace warpspan::lift {

namespace {

// Whether each iteration leads the value further away from where the loop would end: it goes on while the value is
// less, and it becomes less, or both with greater.
bool leads_away(llvm::ScalarEvolution& evolution, const llvm::Loop& loop, llvm::Value& value,
                llvm::CmpInst::Predicate goes_on) {
  const bool is_less = llvm::ICmpInst::isLT(goes_on) || llvm::ICmpInst::isLE(goes_on);
  if (!is_less && !llvm::ICmpInst::isGT(goes_on) && !llvm::ICmpInst::isGE(goes_on)) return false;
  const llvm::SCEV* number = evolution.getSCEV(&value);
  while (const auto* cast = llvm::dyn_cast<llvm::SCEVCastExpr>(number)) number = cast->getOperand(0);
  const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(number);
  if (counter == nullptr || counter->getLoop() != &loop) return false;
  const llvm::SCEV* step = counter->getStepRecurrence(evolution);
  return is_less ? evolution.isKnownNegative(step) : evolution.isKnownPositive(step);
}

bool counts_away(LoopAnalyses& of, const llvm::Loop& loop) {
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  Comparisons comparisons;
  for (const llvm::BasicBlock* block : exiting) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (branch == nullptr || !branch->isConditional()) continue;
    add_comparisons(*branch->getCondition(), loop.contains(branch->getSuccessor(0)), of.dominators, comparisons);
  }
  return llvm::any_of(comparisons, [&](const Comparison& c) {
    return leads_away(of.evolution, loop, *c.a, c.predicate) ||
           leads_away(of.evolution, loop, *c.b, llvm::CmpInst::getSwappedPredicate(c.predicate));
  });
}

}  // namespace

BlockSet counting_away(llvm::Function& function) {
  const llvm::TargetLibraryInfoImpl names(llvm::Triple(function.getParent()->getTargetTriple()));
  llvm::TargetLibraryInfo library(names);
  LoopAnalyses analyses(function, library);
  BlockSet headers;
  for (const llvm::Loop* loop : analyses.loops.getLoopsInPreorder()) {
    if (counts_away(analyses, *loop)) headers.insert(loop->getHeader());
  }
  return headers;
}

}  // namespace warpspan::lift
