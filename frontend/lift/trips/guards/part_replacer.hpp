// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions of scalar evolution with some of their parts replaced by what these are in some executions.
//
// There is one object for equal expressions, and what is marked on it, such as that a counter does not wrap, counts
// wherever it is used. So what a replaced counter is marked with is dropped: it holds of the new one only in the
// executions that are looked at.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>

namespace warpspan::lift {

class PartReplacer : public llvm::SCEVRewriteVisitor<PartReplacer> {
 public:
  using Parts = llvm::DenseMap<const llvm::SCEV*, const llvm::SCEV*>;

  PartReplacer(llvm::ScalarEvolution& evolution, Parts parts)
      : SCEVRewriteVisitor(evolution), parts_(std::move(parts)) {}

  const llvm::SCEV* visit(const llvm::SCEV* expression) {
    const auto found = parts_.find(expression);
    return found != parts_.end() ? found->second : SCEVRewriteVisitor::visit(expression);
  }

  const llvm::SCEV* visitAddRecExpr(const llvm::SCEVAddRecExpr* counter) {
    llvm::SmallVector<const llvm::SCEV*, 2> operands;
    for (const llvm::SCEV* operand : counter->operands()) operands.push_back(visit(operand));
    if (llvm::equal(operands, counter->operands())) return counter;
    return SE.getAddRecExpr(operands, counter->getLoop(), llvm::SCEV::FlagAnyWrap);
  }

 private:
  Parts parts_;
};

}  // namespace warpspan::lift
