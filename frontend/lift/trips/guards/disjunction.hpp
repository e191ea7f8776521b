// What conditions say of numbers case by case, such as those of a loop that goes on while one thing holds or another.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Dominators.h>

#include <vector>

#include "frontend/lift/trips/guards/conditions.hpp"

namespace warpspan::lift {

// Whenever what they are of holds, all comparisons of some case do. No case: it never holds; one without comparisons:
// nothing is known.
using Cases = std::vector<Comparisons>;

// Of a condition that has a value.
Cases cases_of(llvm::Value& condition, bool value, const llvm::DominatorTree& dominators);

// Of ways from one block to others that it dominates. They are found once for each block.
class CasesFrom {
 public:
  CasesFrom(const llvm::BasicBlock& first, const llvm::DominatorTree& dominators)
      : first_(first), dominators_(dominators) {}

  // Where control goes from one block to another, which follows it, as the branches on the ways there say.
  Cases on_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to);

 private:
  Cases at(const llvm::BasicBlock& block);
  Cases by_joined(const llvm::BasicBlock& block);

  const llvm::BasicBlock& first_;
  const llvm::DominatorTree& dominators_;
  llvm::DenseMap<const llvm::BasicBlock*, Cases> known_;
  int budget_ = 64;  // blocks that are looked at
};

// Of the head of every turn that another one follows, of numbers as they are there: what exits say that every turn
// comes to in the blocks of the loop itself, of the numbers of this turn, or of those of the turn before, if the same
// holds where the loop is entered. The theorem is in disjunction.cpp.
Cases cases_of_turns(const LoopContext& context);

}  // namespace warpspan::lift
