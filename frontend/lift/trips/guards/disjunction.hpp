// SPDX-License-Identifier: GPL-3.0-or-later
// What conditions say of numbers case by case, such as those of a loop that goes on while one thing holds or another.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Dominators.h>

#include <vector>

#include "frontend/lift/trips/guards/conditions.hpp"

namespace warpspan::lift {

// A disjunction: whenever it holds, all comparisons of some case do. No case: it never holds; one without comparisons:
// nothing is known.
using Cases = std::vector<Comparisons>;

// Cases in which a condition has a value.
Cases cases_of(llvm::Value& condition, bool value, const llvm::DominatorTree& dominators);

// Cases on paths from one block to others that it dominates, found once for each block.
class CasesFrom {
 public:
  CasesFrom(const llvm::BasicBlock& first, const llvm::DominatorTree& dominators)
      : first_(first), dominators_(dominators) {}

  // Where control goes from one block to another, which follows it, as the branches on the paths there imply.
  Cases on_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to);

 private:
  Cases at(const llvm::BasicBlock& block);
  Cases by_joined(const llvm::BasicBlock& block);

  const llvm::BasicBlock& first_;
  const llvm::DominatorTree& dominators_;
  llvm::DenseMap<const llvm::BasicBlock*, Cases> known_;
  int budget_ = 64;  // blocks that are looked at
};

// Cases at the head of every iteration that another one follows, in numbers as they are there: what exits imply that
// every iteration comes to in the blocks of the loop itself, of the numbers of this iteration, or of those of the
// iteration before, if the same holds where the loop is entered. The theorem is in disjunction.cpp.
Cases cases_of_iterations(const LoopContext& context);

}  // namespace warpspan::lift
