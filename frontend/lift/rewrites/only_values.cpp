// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Let all values that come to a phi of block b be v, or poison by edges that are never taken. Let v be
// computed in block x, without effects and without a case in which it is undefined, from values that dominate the end
// of d, the immediate dominator of b. Then v computed at the end of d is the phi. Proof. The phi is v by an edge from a
// block p which x dominates, and so does d. Both lie on one chain of dominators: if x dominates d, v itself dominates
// b. Otherwise d dominates x. On a path to p, x comes behind the last d: if the last x came before the last d, a path
// from the entry to the first d, which has no x as d dominates it, and from the last d on to p would have no x. And
// where a value o that dominates d is computed comes before the last d, likewise: a path to the first o has no d, so
// one that went on from an o behind the last d would lead to p without d. So v is computed in x from the same values as
// at the end of the last d. QED. What v is computed from is computed at d in the same way.
#include "frontend/lift/rewrites/only_values.hpp"

#include <llvm/ADT/DenseMap.h>

namespace warpspan::lift {

namespace {

using llvm::Instruction;

constexpr int most_copies = 16;

bool is_total(const Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::ICmp:
    case Instruction::Select:
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::SExt: return true;
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr: {
      const auto* by = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
      return by != nullptr && by->getValue().ult(by->getBitWidth());
    }
    default: return false;
  }
}

class Copies {
 public:
  Copies(Instruction& where, const llvm::DominatorTree& dominators) : where_(where), dominators_(dominators) {}

  bool are_possible(llvm::Value* value) {
    auto* instruction = llvm::dyn_cast<Instruction>(value);
    if (instruction == nullptr || dominators_.dominates(instruction, &where_)) return true;
    if (++count_ > most_copies || !is_total(*instruction)) return false;
    return std::all_of(instruction->op_begin(), instruction->op_end(),
                       [this](const llvm::Use& operand) { return are_possible(operand.get()); });
  }

  llvm::Value* of(llvm::Value* value) {
    auto* instruction = llvm::dyn_cast<Instruction>(value);
    if (instruction == nullptr || dominators_.dominates(instruction, &where_)) return value;
    if (llvm::Value* made = made_.lookup(value)) return made;
    Instruction* copy = instruction->clone();
    for (llvm::Use& operand : copy->operands()) operand.set(of(operand.get()));
    copy->dropPoisonGeneratingAnnotations();
    copy->insertBefore(&where_);
    return made_[value] = copy;
  }

 private:
  Instruction& where_;
  const llvm::DominatorTree& dominators_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> made_;
  int count_ = 0;
};

}  // namespace

llvm::Value* only_value(Instruction& instruction, const llvm::DominatorTree& dominators) {
  auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
  if (phi == nullptr) return nullptr;
  llvm::Value* only = nullptr;
  bool leaves_out = false;
  for (llvm::Value* value : phi->incoming_values()) {
    leaves_out = leaves_out || llvm::isa<llvm::PoisonValue>(value);
    if (llvm::isa<llvm::PoisonValue>(value) || value == only) continue;
    if (only != nullptr) return nullptr;
    only = value;
  }
  auto* computed = llvm::dyn_cast_or_null<Instruction>(only);
  if (!leaves_out || computed == nullptr || !is_total(*computed)) return nullptr;
  const auto* node = dominators.getNode(phi->getParent());
  if (node == nullptr || node->getIDom() == nullptr) return nullptr;
  Copies copies(*node->getIDom()->getBlock()->getTerminator(), dominators);
  return copies.are_possible(only) ? copies.of(only) : nullptr;
}

}  // namespace warpspan::lift
