// SPDX-License-Identifier: GPL-3.0-or-later
// What LLVM knows of the loops of a function as it stands.
#pragma once

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

namespace warpspan::lift {

// Each refers to those before it, and to the function and the library, which must outlive them.
struct LoopAnalyses {
  LoopAnalyses(llvm::Function& of, llvm::TargetLibraryInfo& library)
      : function(of),
        dominators(of),
        loops(dominators),
        assumptions(of),
        evolution(of, library, assumptions, dominators, loops) {}
  LoopAnalyses(const LoopAnalyses&) = delete;
  LoopAnalyses& operator=(const LoopAnalyses&) = delete;

  llvm::Function& function;
  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::AssumptionCache assumptions;
  llvm::ScalarEvolution evolution;
};

}  // namespace warpspan::lift
