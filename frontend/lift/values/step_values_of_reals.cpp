// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of values that are computed with floating-point numbers: real_steps.hpp along the operations of a kernel.
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "frontend/lift/translation/emitter.hpp"
#include "frontend/lift/values/integers.hpp"
#include "frontend/lift/values/step_values.hpp"

namespace warpspan::lift {

namespace {

using ir::Computation;
using Reals = std::vector<RealSteps>;

FloatOperation operation_of(const llvm::CallInst& call) {
  return unpacked(static_cast<uint32_t>(llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue()));
}

std::optional<ExactFloat> constant_of(const llvm::Use& use) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(use.get());
  return constant == nullptr ? std::nullopt : exact_float(constant->getZExtValue(), constant->getBitWidth());
}

void add(Reals& all, std::optional<RealSteps> found) {
  constexpr size_t most = 4;
  if (found && all.size() < most) all.push_back(std::move(*found));
}

// What `of` makes of each of them, and of each pair.
template <typename Of>
Reals each(const Reals& all, const Of& of) {
  Reals result;
  for (const RealSteps& a : all) add(result, of(a));
  return result;
}
template <typename Of>
Reals each(const Reals& first, const Reals& second, const Of& of) {
  Reals result;
  for (const RealSteps& a : first) {
    for (const RealSteps& b : second) add(result, of(a, b));
  }
  return result;
}

}  // namespace

Reals StepValues::reals(const llvm::Use& use) {
  if (const auto constant = constant_of(use)) {
    Reals result;
    add(result, lift::reals_of(*constant));
    return result;
  }
  const auto* call = llvm::dyn_cast<llvm::CallInst>(use.get());
  if (call == nullptr || !is_float(*call) || !uniformity_.is_same_execution(use)) return {};
  const auto known = known_reals_.find(call);
  if (known != known_reals_.end()) return known->second;
  Reals found;
  if (depth_ < deepest) {
    ++depth_;
    found = reals_of(*call);
    --depth_;
  }
  return known_reals_[call] = found;
}

Reals StepValues::reals_of(const llvm::CallInst& call) {
  const FloatOperation operation = operation_of(call);
  const auto operand = [&](unsigned i) -> const llvm::Use& { return call.getArgOperandUse(i + 1); };
  const auto negated = [](const Reals& all) { return each(all, [](const RealSteps& a) { return negative(a); }); };
  const auto product_of = [&] {
    const auto factor = constant_of(operand(1));
    const auto other = factor ? factor : constant_of(operand(0));
    if (!other) return Reals();
    return each(reals(operand(factor ? 0 : 1)), [&](const RealSteps& a) { return product(a, *other); });
  };
  const auto smaller_of = [](const Reals& a, const Reals& b) { return each(a, b, smaller); };
  Reals exact;
  switch (operation.computation) {
    case Computation::float_from_integer: exact = reals_of_integer(operand(0), operation.is_signed); break;
    case Computation::float_add: exact = each(reals(operand(0)), reals(operand(1)), sum); break;
    case Computation::float_subtract: exact = each(reals(operand(0)), negated(reals(operand(1))), sum); break;
    case Computation::float_multiply: exact = product_of(); break;
    case Computation::float_multiply_add: exact = each(product_of(), reals(operand(2)), sum); break;
    case Computation::float_convert: exact = reals(operand(0)); break;
    case Computation::float_negate: return negated(reals(operand(0)));
    case Computation::float_minimum: return smaller_of(reals(operand(0)), reals(operand(1)));
    case Computation::float_maximum: return negated(smaller_of(negated(reals(operand(0))), negated(reals(operand(1)))));
    case Computation::float_to_whole:
      return each(reals(operand(0)), [&](const RealSteps& a) {
        const WholeSteps steps = whole(a, operation.rounding);
        return lift::reals_of(steps.steps, steps.lowest, steps.highest);
      });
    default: return {};
  }
  return each(exact, rounded);
}

Reals StepValues::reals_of_integer(const llvm::Use& use, bool is_signed) {
  const llvm::ConstantRange all = range(*use.get(), is_signed);
  if (all.isEmptySet()) return {};
  const auto end = [&](const llvm::APInt& value) {
    return is_signed ? value.getSExtValue() : static_cast<int64_t>(value.getLimitedValue(INT64_MAX));
  };
  const int64_t lowest = end(is_signed ? all.getSignedMin() : all.getUnsignedMin());
  const int64_t highest = end(is_signed ? all.getSignedMax() : all.getUnsignedMax());
  Reals result;
  for (const LaneSteps& steps : as_numbers(use, is_signed)) add(result, lift::reals_of(steps, lowest, highest));
  return result;
}

namespace {

// Whether the type of the conversion's result holds the integers; else the result is not specified.
bool holds(unsigned bits, bool is_signed, const WholeSteps& steps) {
  const unsigned number_bits = bits - (is_signed ? 1 : 0);
  if (number_bits > 62) return false;
  const int64_t end = int64_t{1} << number_bits;
  return steps.lowest >= (is_signed ? -end : 0) && steps.highest < end;
}

}  // namespace

StepValues::Alternatives StepValues::of_whole(const llvm::Instruction& instruction) {
  if (!is_float(instruction)) return {};
  const auto& call = llvm::cast<llvm::CallInst>(instruction);
  const FloatOperation operation = operation_of(call);
  if (operation.computation != Computation::float_to_integer) return {};
  Alternatives result;
  for (const RealSteps& a : reals(call.getArgOperandUse(1))) {
    WholeSteps steps = whole(a, operation.rounding);
    if (holds(bits_of(call), operation.is_signed, steps)) result.push_back(std::move(steps.steps));
  }
  return result;
}

llvm::ConstantRange StepValues::range_of_whole(const llvm::CallInst& call) {
  const unsigned bits = bits_of(call);
  llvm::ConstantRange result = llvm::ConstantRange::getFull(bits);
  const FloatOperation operation = operation_of(call);
  if (operation.computation != Computation::float_to_integer) return result;
  for (const RealSteps& a : reals(call.getArgOperandUse(1))) {
    const WholeSteps steps = whole(a, operation.rounding);
    if (!holds(bits, operation.is_signed, steps)) continue;
    const auto end = [&](int64_t value) { return llvm::APInt(bits, static_cast<uint64_t>(value), true); };
    result = result.intersectWith(llvm::ConstantRange::getNonEmpty(end(steps.lowest), end(steps.highest) + 1));
  }
  return result;
}

}  // namespace warpspan::lift
