// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Let x be y & m for a constant m, let the blocks of x and b dominate that of a phi and be others, and let,
// for each edge e into it and each k from 0 to m, either v(e) be b + c + s k where x is k, for constants c and s = 1 or
// -1, or some branch decide otherwise where x is k: at the end of the block that e comes from, or by an edge that
// dominates that block. Then the phi is b + c + s x. Proof. Let control come by e. All that v(e), the conditions of
// those branches and b are computed from dominates the block that e comes from, or is behind it, and was computed for
// the last time with the x that is there now: a path from x to the block without one of them, behind a path from the
// entry that first comes to x, would be a path from the entry without it, as x dominates it. So with k = x no such
// branch decides otherwise, and v(e) is b + c + s x. QED
#include "frontend/lift/rewrites/counted_cases.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

namespace warpspan::lift {

namespace {

using llvm::APInt;
using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;
namespace match = llvm::PatternMatch;

constexpr uint64_t most = 15;
constexpr int deepest = 6;
constexpr int most_branches = 32;

// What values are where x is k.
class Case {
 public:
  Case(const Value& x, uint64_t k) : x_(x), k_(k) {}

  std::optional<APInt> number(const Value* value, int depth = deepest) const {
    if (value == &x_) return APInt(x_.getType()->getIntegerBitWidth(), k_);
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value)) return constant->getValue();
    const auto* instruction = llvm::dyn_cast<Instruction>(value);
    if (instruction == nullptr || depth == 0) return std::nullopt;
    if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(instruction)) {
      const auto a = number(compare->getOperand(0), depth - 1), b = number(compare->getOperand(1), depth - 1);
      if (!a || !b) return std::nullopt;
      return APInt(1, llvm::ICmpInst::compare(*a, *b, compare->getPredicate()) ? 1 : 0);
    }
    if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(instruction)) {
      const auto condition = number(select->getCondition(), depth - 1);
      if (!condition) return std::nullopt;
      return number(condition->isZero() ? select->getFalseValue() : select->getTrueValue(), depth - 1);
    }
    if (llvm::isa<llvm::ZExtInst, llvm::TruncInst>(instruction)) {
      const auto operand = number(instruction->getOperand(0), depth - 1);
      if (!operand) return std::nullopt;
      return operand->zextOrTrunc(value->getType()->getIntegerBitWidth());
    }
    const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(instruction);
    if (operation == nullptr) return std::nullopt;
    const auto a = number(operation->getOperand(0), depth - 1), b = number(operation->getOperand(1), depth - 1);
    if (!a || !b) return std::nullopt;
    switch (operation->getOpcode()) {
      case Instruction::Add: return *a + *b;
      case Instruction::Sub: return *a - *b;
      case Instruction::And: return *a & *b;
      case Instruction::Or: return *a | *b;
      case Instruction::Xor: return *a ^ *b;
      default: return std::nullopt;
    }
  }

  // Another value, and what is added to it.
  struct Sum {
    Value* base = nullptr;
    APInt added;
  };
  Sum sum(Value* value) const {
    Sum result{value, APInt(value->getType()->getIntegerBitWidth(), 0)};
    for (int depth = 0; depth < deepest; ++depth) {
      Value *a = nullptr, *b = nullptr;
      if (auto* select = llvm::dyn_cast<llvm::SelectInst>(result.base)) {
        const auto condition = number(select->getCondition());
        if (!condition) break;
        result.base = condition->isZero() ? select->getFalseValue() : select->getTrueValue();
      } else if (match::match(result.base, match::m_Add(match::m_Value(a), match::m_Value(b)))) {
        const auto first = number(a), second = number(b);
        if (!first && !second) break;
        result.added += second ? *second : *first;
        result.base = second ? a : b;
      } else if (match::match(result.base, match::m_Sub(match::m_Value(a), match::m_Value(b)))) {
        const auto second = number(b);
        if (!second) break;
        result.added -= *second;
        result.base = a;
      } else {
        break;
      }
    }
    return result;
  }

  // Whether the branch at the end of the block does not go to the successor.
  bool avoids(const BasicBlock& block, const BasicBlock& successor) const {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (branch == nullptr || !branch->isConditional()) return false;
    if (branch->getSuccessor(0) == branch->getSuccessor(1)) return false;
    const auto condition = number(branch->getCondition());
    return condition && branch->getSuccessor(condition->isZero() ? 1 : 0) != &successor;
  }

 private:
  const Value& x_;
  uint64_t k_;
};

// Small numbers that a condition is computed from.
void find_small(Value* value, int depth, llvm::SmallVectorImpl<Instruction*>& found) {
  auto* instruction = llvm::dyn_cast<Instruction>(value);
  if (instruction == nullptr || depth == 0) return;
  const APInt* mask = nullptr;
  if (match::match(instruction, match::m_And(match::m_Value(), match::m_APInt(mask))) && !mask->isZero() &&
      mask->ule(most)) {
    found.push_back(instruction);
    return;
  }
  if (!llvm::isa<llvm::ICmpInst, llvm::BinaryOperator>(instruction)) return;
  for (Value* operand : instruction->operand_values()) find_small(operand, depth - 1, found);
}

class Cases {
 public:
  Cases(llvm::PHINode& phi, Instruction& x, const llvm::DominatorTree& dominators)
      : phi_(phi), x_(x), dominators_(dominators) {}

  Value* sum() const {
    for (const int64_t sign : {1, -1}) {
      if (Value* found = sum(sign)) return found;
    }
    return nullptr;
  }

 private:
  bool is_taken(const Case& in, const BasicBlock& from) const {
    if (in.avoids(from, *phi_.getParent())) return false;
    const auto* node = dominators_.getNode(&from);
    for (int i = 0; i < most_branches && node != nullptr && node->getIDom() != nullptr; ++i) {
      node = node->getIDom();
      const BasicBlock& block = *node->getBlock();
      if (!dominators_.dominates(x_.getParent(), &block)) break;
      for (const BasicBlock* next : llvm::successors(&block)) {
        if (in.avoids(block, *next) && dominators_.dominates(llvm::BasicBlockEdge(&block, next), &from)) return false;
      }
    }
    return true;
  }

  Value* sum(int64_t sign) const {
    const unsigned bits = phi_.getType()->getIntegerBitWidth();
    const APInt& mask = llvm::cast<llvm::ConstantInt>(x_.getOperand(1))->getValue();
    Value* base = nullptr;
    APInt added;
    uint64_t numbers = 0;  // that some edge is taken for
    for (unsigned i = 0; i < phi_.getNumIncomingValues(); ++i) {
      for (uint64_t k = 0; k <= mask.getZExtValue(); ++k) {
        const Case in(x_, k);
        if ((k & ~mask.getZExtValue()) != 0 || !is_taken(in, *phi_.getIncomingBlock(i))) continue;
        Case::Sum found = in.sum(phi_.getIncomingValue(i));
        found.added -= APInt(bits, static_cast<uint64_t>(sign) * k);
        if (base != nullptr && (found.base != base || found.added != added)) return nullptr;
        base = found.base;
        added = found.added;
        numbers |= uint64_t{1} << k;
      }
    }
    if (base == nullptr || (numbers & (numbers - 1)) == 0 || base == &phi_) return nullptr;
    const auto* defined = llvm::dyn_cast<Instruction>(base);
    if (defined != nullptr && !dominators_.properlyDominates(defined->getParent(), phi_.getParent())) return nullptr;
    llvm::IRBuilder<> ir(&*phi_.getParent()->getFirstInsertionPt());
    Value* x = ir.CreateZExtOrTrunc(&x_, phi_.getType());
    Value* from = ir.CreateAdd(base, llvm::ConstantInt::get(phi_.getType(), added));
    return sign > 0 ? ir.CreateAdd(from, x) : ir.CreateSub(from, x);
  }

  llvm::PHINode& phi_;
  Instruction& x_;
  const llvm::DominatorTree& dominators_;
};

}  // namespace

Value* counted_cases(Instruction& instruction, const llvm::DominatorTree& dominators) {
  auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
  if (phi == nullptr || !phi->getType()->isIntegerTy() || phi->getType()->isIntegerTy(1)) return nullptr;
  const BasicBlock& block = *phi->getParent();
  const auto* node = dominators.getNode(&block);
  if (node == nullptr || node->getIDom() == nullptr || phi->getNumIncomingValues() > most + 1) return nullptr;
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(node->getIDom()->getBlock()->getTerminator());
  if (branch == nullptr || !branch->isConditional()) return nullptr;
  llvm::SmallVector<Instruction*, 4> small;
  find_small(branch->getCondition(), deepest, small);
  for (Instruction* x : small) {
    if (!llvm::isa<llvm::ConstantInt>(x->getOperand(1))) continue;
    if (Value* sum = Cases(*phi, *x, dominators).sum()) return sum;
  }
  return nullptr;
}

}  // namespace warpspan::lift
