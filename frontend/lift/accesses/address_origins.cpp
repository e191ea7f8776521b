// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Take sums, selections and phis, such that whatever a selection or a phi may have, and what a sum adds a
// number to, is one of them or begins at one of the origins. Then each of them is, whenever it has a value, an origin
// and a number. Proof. By induction over the execution: what it has was one of them before, or an origin and a number.
// QED So a pointer that nested loops move on has the origin that it had before them, whatever they add.
//
// The number is the sum of those that are added on the way, where no loop leads back to it.
#include "frontend/lift/accesses/address_origins.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "frontend/lift/translation/emitter.hpp"

namespace warpspan::lift {

namespace {

using llvm::ConstantRange;

constexpr int deepest_sum = 8;
constexpr size_t most_values = 1000;

// Whether a value may itself be an address that something is added to; a product or an extension is an offset, and so
// is a sum of offsets.
bool may_be_pointer(const llvm::Value& value, int depth = 0) {
  if (llvm::isa<llvm::ConstantInt>(value)) return false;
  const auto* operation = llvm::dyn_cast<llvm::Instruction>(&value);
  if (operation == nullptr) return true;
  switch (operation->getOpcode()) {
    case llvm::Instruction::Shl: {  // an upper half may be that of an address
      const auto* by = llvm::dyn_cast<llvm::ConstantInt>(operation->getOperand(1));
      return by != nullptr && by->getValue().uge(32);
    }
    case llvm::Instruction::Mul:
    case llvm::Instruction::SExt:
    case llvm::Instruction::ZExt: return false;
    case llvm::Instruction::Add:
      return depth == deepest_sum || may_be_pointer(*operation->getOperand(0), depth + 1) ||
             may_be_pointer(*operation->getOperand(1), depth + 1);
    default: return true;
  }
}

}  // namespace

auto AddressOrigins::sum_of(const llvm::Value& value) const -> std::optional<Sum> {
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (operation == nullptr || operation->getOpcode() != llvm::Instruction::Add) return std::nullopt;
  const auto is_number = [this](const llvm::Value& v) {
    const auto form = forms_.of(v);
    return form ? form->base == nullptr : !may_be_pointer(v);
  };
  llvm::Value *a = operation->getOperand(0), *b = operation->getOperand(1);
  if (is_number(*a) == is_number(*b)) return std::nullopt;
  return is_number(*a) ? Sum{b, a} : Sum{a, b};
}

std::vector<const llvm::Value*> AddressOrigins::of(const llvm::Value& address) const {
  std::vector<const llvm::Value*> origins;
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  std::vector<const llvm::Value*> open = {&address};
  while (!open.empty()) {
    const llvm::Value* value = open.back();
    open.pop_back();
    if (!seen.insert(value).second) continue;
    if (seen.size() > most_values) return {};
    if (const auto form = forms_.of(*value)) {
      if (form->base == nullptr) return {};
      if (std::find(origins.begin(), origins.end(), form->base) == origins.end()) origins.push_back(form->base);
    } else if (call_kind(*value) == CallKind::same) {
      open.push_back(llvm::cast<llvm::CallInst>(value)->getOperand(0));
    } else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(value)) {
      for (const llvm::Value* incoming : phi->incoming_values()) {
        if (!llvm::isa<llvm::UndefValue>(incoming)) open.push_back(incoming);  // by edges that are ever taken
      }
    } else if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(value)) {
      open.push_back(select->getTrueValue());
      open.push_back(select->getFalseValue());
    } else if (const auto sum = sum_of(*value)) {
      open.push_back(sum->pointer);
    } else {
      return {};
    }
  }
  return origins;
}

ConstantRange AddressOrigins::distance(llvm::Value& address) const { return distance(address, 0); }

ConstantRange AddressOrigins::distance(llvm::Value& address, int depth) const {
  const unsigned bits = address.getType()->getIntegerBitWidth();
  const ConstantRange unknown = ConstantRange::getFull(bits);
  if (depth == deepest_sum) return unknown;
  if (auto form = forms_.of(address)) {
    form->base = nullptr;
    const auto values = forms_.values(*form);
    if (!values || bits < 64) return unknown;
    const llvm::APInt least(bits, static_cast<uint64_t>(values->least)),
        most(bits, static_cast<uint64_t>(values->most));
    return ConstantRange::getNonEmpty(least, most + 1);
  }
  if (call_kind(address) == CallKind::same) {
    return distance(*llvm::cast<llvm::CallInst>(address).getOperand(0), depth + 1);
  }
  if (const auto sum = sum_of(address)) {
    return distance(*sum->pointer, depth + 1).add(range_of_number(*sum->number, true, range_));
  }
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&address)) {
    return distance(*select->getTrueValue(), depth + 1)
        .unionWith(distance(*select->getFalseValue(), depth + 1), ConstantRange::Signed);
  }
  auto* phi = llvm::dyn_cast<llvm::PHINode>(&address);
  if (phi == nullptr || loops_.isLoopHeader(phi->getParent())) return unknown;
  ConstantRange all = ConstantRange::getEmpty(bits);
  for (llvm::Value* incoming : phi->incoming_values()) {
    if (llvm::isa<llvm::UndefValue>(incoming)) continue;
    all = all.unionWith(distance(*incoming, depth + 1), ConstantRange::Signed);
  }
  return all;
}

}  // namespace warpspan::lift
