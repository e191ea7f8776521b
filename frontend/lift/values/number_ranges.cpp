// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/values/number_ranges.hpp"

#include <llvm/IR/Instructions.h>

#include "frontend/lift/translation/emitter.hpp"

namespace warpspan::lift {

namespace {

using llvm::ConstantRange;

constexpr int deepest = 8;

class Ranges {
 public:
  Ranges(bool is_signed, const RangeOf& known)
      : is_signed_(is_signed), known_(known), preferred_(is_signed ? ConstantRange::Signed : ConstantRange::Unsigned) {}

  ConstantRange of(llvm::Value& value, int depth) const {
    const ConstantRange known = known_(value, is_signed_);
    const auto* operation = llvm::dyn_cast<llvm::Instruction>(&value);
    if (depth == deepest || operation == nullptr) return known;
    return known.intersectWith(computed(*operation, known.getBitWidth(), depth + 1), preferred_);
  }

 private:
  ConstantRange computed(const llvm::Instruction& operation, unsigned bits, int depth) const {
    const auto operand = [&](unsigned i) { return of(*operation.getOperand(i), depth); };
    if (call_kind(operation) == CallKind::same) return operand(0);
    if (llvm::isa<llvm::SelectInst>(operation)) return operand(1).unionWith(operand(2), preferred_);
    if (llvm::isa<llvm::SExtInst, llvm::ZExtInst, llvm::TruncInst>(operation)) {
      return operand(0).castOp(llvm::cast<llvm::CastInst>(operation).getOpcode(), bits);
    }
    const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&operation);
    return binary == nullptr ? ConstantRange::getFull(bits) : operand(0).binaryOp(binary->getOpcode(), operand(1));
  }

  bool is_signed_;
  const RangeOf& known_;
  ConstantRange::PreferredRangeType preferred_;
};

}  // namespace

ConstantRange range_of_number(llvm::Value& value, bool is_signed, const RangeOf& known) {
  return Ranges(is_signed, known).of(value, 0);
}

bool is_clear_of_end(const ConstantRange& range, uint64_t distance, bool is_signed) {
  const unsigned bits = range.getBitWidth();
  const llvm::APInt room(bits, distance);
  if (!is_signed)
    return range.getUnsignedMax().ult(llvm::APInt::getMaxValue(bits) - room) || range.getUnsignedMin().ugt(room);
  return range.getSignedMax().slt(llvm::APInt::getSignedMaxValue(bits) - room) ||
         range.getSignedMin().sgt(llvm::APInt::getSignedMinValue(bits) + room);
}

}  // namespace warpspan::lift
