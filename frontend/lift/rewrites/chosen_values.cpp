// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Let a select s and a branch at the end of block b have one condition c, let an edge e from b dominate a use
// of s, and let c hold where e is taken. Then s is its first value at that use. Proof. Let c be computed the last time
// before the use. A path from there to the use without s would, behind a path from the entry to c, be one to the use
// without s: no path from the entry that first comes to c then has passed s, because c dominates it. As s dominates its
// use, there is none. So s has been chosen since, by this c; and e, which c dominates and which dominates the use, has
// been taken since in the same way, so that c holds. QED. What follows for its operands from a conjunction that holds,
// or from a disjunction that does not, is known in the same way: they dominate the branch as well.
#include "frontend/lift/rewrites/chosen_values.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace warpspan::lift {

namespace {

using llvm::Instruction;

constexpr unsigned most_literals = 16;
constexpr int most_rounds = 4;  // a value that is chosen may be another choice

struct Literal {
  llvm::Value* condition;
  bool holds;
};

// What follows from a condition, itself first.
llvm::SmallVector<Literal, most_literals> literals(llvm::Value& condition, bool holds) {
  llvm::SmallVector<Literal, most_literals> all = {{&condition, holds}};
  for (size_t i = 0; i < all.size() && all.size() + 2 <= most_literals; ++i) {
    const auto [value, is_true] = all[i];
    auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
    if (operation == nullptr) continue;
    llvm::Value *a = operation->getOperand(0), *b = operation->getOperand(1);
    if (operation->getOpcode() == Instruction::Xor) {
      const auto* mask = llvm::dyn_cast<llvm::ConstantInt>(b);
      if (mask != nullptr) all.push_back({a, is_true != mask->isOne()});
    } else if (operation->getOpcode() == (is_true ? Instruction::And : Instruction::Or)) {
      all.push_back({a, is_true});
      all.push_back({b, is_true});
    }
  }
  return all;
}

bool use_chosen(const Literal& literal, const llvm::BasicBlockEdge& edge, const llvm::DominatorTree& dominators) {
  if (llvm::isa<llvm::Constant>(literal.condition)) return false;
  bool changed = false;
  for (llvm::User* user : literal.condition->users()) {
    auto* select = llvm::dyn_cast<llvm::SelectInst>(user);
    if (select == nullptr || select->getCondition() != literal.condition) continue;
    llvm::Value* chosen = literal.holds ? select->getTrueValue() : select->getFalseValue();
    if (chosen == select) continue;  // in code that is never executed
    select->replaceUsesWithIf(chosen, [&](llvm::Use& use) {
      const bool is_known = dominators.dominates(edge, use);
      changed = changed || is_known;
      return is_known;
    });
  }
  return changed;
}

}  // namespace

void use_chosen_values(llvm::Function& function) {
  const llvm::DominatorTree dominators(function);
  dominators.updateDFSNumbers();
  bool changed = true;
  for (int round = 0; changed && round < most_rounds; ++round) {
    changed = false;
    for (const llvm::BasicBlock& block : function) {
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
      if (branch == nullptr || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
      for (const bool holds : {true, false}) {
        const llvm::BasicBlockEdge edge(&block, branch->getSuccessor(holds ? 0 : 1));
        for (const Literal& literal : literals(*branch->getCondition(), holds)) {
          changed = use_chosen(literal, edge, dominators) || changed;
        }
      }
    }
  }
}

}  // namespace warpspan::lift
