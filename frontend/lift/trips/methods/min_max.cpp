// SPDX-License-Identifier: GPL-3.0-or-later
// ~a is -1 - a, in wrapping arithmetic: a < b if and only if ~b < ~a, with signs and without. So max(A, B) is
// ~min(~A, ~B).
#include "frontend/lift/trips/methods/min_max.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>

namespace warpspan::lift {

namespace {

using llvm::SCEV;

// How many more of the terms of a sum have a negative factor than not.
int negations(const SCEV& expression) {
  if (llvm::isa<llvm::SCEVConstant>(expression)) return 0;
  if (const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(&expression)) return negations(*counter->getStart());
  if (llvm::isa<llvm::SCEVAddExpr>(expression)) {
    int sum = 0;
    for (const SCEV* term : expression.operands()) sum += negations(*term);
    return sum;
  }
  const auto* product = llvm::dyn_cast<llvm::SCEVMulExpr>(&expression);
  const auto* factor = product == nullptr ? nullptr : llvm::dyn_cast<llvm::SCEVConstant>(product->getOperand(0));
  return factor != nullptr && factor->getAPInt().isNegative() ? 1 : -1;
}

class Rewriter : public llvm::SCEVRewriteVisitor<Rewriter> {
 public:
  explicit Rewriter(llvm::ScalarEvolution& evolution) : SCEVRewriteVisitor(evolution) {}

  const SCEV* visitSMaxExpr(const llvm::SCEVSMaxExpr* whole) {
    return write(*whole, llvm::scSMaxExpr, llvm::scSMinExpr);
  }
  const SCEV* visitSMinExpr(const llvm::SCEVSMinExpr* whole) {
    return write(*whole, llvm::scSMinExpr, llvm::scSMaxExpr);
  }
  const SCEV* visitUMaxExpr(const llvm::SCEVUMaxExpr* whole) {
    return write(*whole, llvm::scUMaxExpr, llvm::scUMinExpr);
  }
  const SCEV* visitUMinExpr(const llvm::SCEVUMinExpr* whole) {
    return write(*whole, llvm::scUMinExpr, llvm::scUMaxExpr);
  }

 private:
  const SCEV* write(const llvm::SCEVNAryExpr& whole, llvm::SCEVTypes kind, llvm::SCEVTypes opposite) {
    llvm::SmallVector<const SCEV*, 4> operands;
    int sum = 0;
    for (const SCEV* operand : whole.operands()) {
      operands.push_back(visit(operand));
      sum += negations(*operands.back());
    }
    if (sum <= 0) return SE.getMinMaxExpr(kind, operands);
    for (const SCEV*& operand : operands) operand = SE.getNotSCEV(operand);
    return SE.getNotSCEV(SE.getMinMaxExpr(opposite, operands));
  }
};

const SCEV* written(const SCEV& expression, llvm::ScalarEvolution& evolution) {
  if (expression.getExpressionSize() > largest_expression) return &expression;
  return Rewriter(evolution).visit(&expression);
}

}  // namespace

Case with_least_negation(const Case& number, llvm::ScalarEvolution& evolution) {
  Case result{written(*number.expression, evolution), {}, number.either};
  for (const Relation& relation : number.relations) {
    result.relations.push_back({relation.predicate, written(*relation.a, evolution), written(*relation.b, evolution)});
  }
  return result;
}

}  // namespace warpspan::lift
