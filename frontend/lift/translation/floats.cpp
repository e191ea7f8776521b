// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/translation/floats.hpp"

#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/APSInt.h>

#include <array>

namespace warpspan::lift {

namespace {

using ir::Computation;
using llvm::APFloat;

const llvm::fltSemantics& format(unsigned bits) {
  return bits == 32 ? llvm::APFloat::IEEEsingle() : llvm::APFloat::IEEEdouble();
}

APFloat number(uint64_t value, unsigned bits) { return {format(bits), llvm::APInt(bits, value)}; }

// A result that was rounded to the least normal number may have been below it.
bool may_be_flushed(const APFloat& value) {
  return &value.getSemantics() == &APFloat::IEEEsingle() && (value.isDenormal() || value.isSmallestNormalized());
}

std::optional<uint64_t> bits_of(const APFloat& value) {
  if (value.isNaN() || may_be_flushed(value)) return std::nullopt;
  return value.bitcastToAPInt().getZExtValue();
}

llvm::RoundingMode mode(ir::Rounding rounding) {
  switch (rounding) {
    case ir::Rounding::zero: return llvm::RoundingMode::TowardZero;
    case ir::Rounding::down: return llvm::RoundingMode::TowardNegative;
    case ir::Rounding::up: return llvm::RoundingMode::TowardPositive;
    default: return llvm::RoundingMode::NearestTiesToEven;
  }
}

bool holds(const FloatOperation& operation, const APFloat& a, const APFloat& b) {
  const ir::Comparison comparison = operation.comparison;
  const APFloat::cmpResult order = a.compare(b);
  if (order == APFloat::cmpUnordered) {
    return operation.or_unordered || comparison == ir::Comparison::unordered;
  }
  switch (comparison) {
    case ir::Comparison::equal: return order == APFloat::cmpEqual;
    case ir::Comparison::not_equal: return order != APFloat::cmpEqual;
    case ir::Comparison::less: return order == APFloat::cmpLessThan;
    case ir::Comparison::less_or_equal: return order != APFloat::cmpGreaterThan;
    case ir::Comparison::greater: return order == APFloat::cmpGreaterThan;
    case ir::Comparison::greater_or_equal: return order != APFloat::cmpLessThan;
    default: return comparison == ir::Comparison::ordered;
  }
}

std::optional<uint64_t> from_integer(const FloatOperation& operation, uint64_t value, unsigned bits,
                                     unsigned result_bits) {
  APFloat result(format(result_bits));
  result.convertFromAPInt(llvm::APInt(bits, value), operation.is_signed, mode(operation.rounding));
  return bits_of(result);
}

std::optional<uint64_t> to_integer(const FloatOperation& operation, const APFloat& value, unsigned result_bits) {
  llvm::APSInt result(result_bits, !operation.is_signed);
  bool is_exact = false;
  const auto status = value.convertToInteger(result, mode(operation.rounding), &is_exact);
  return (status & APFloat::opInvalidOp) != 0 ? std::nullopt : std::optional(result.getZExtValue());
}

// The number that an operation has as its result; nothing if it has none.
std::optional<APFloat> computed(const FloatOperation& operation, APFloat a, const APFloat& b, const APFloat& c,
                                unsigned result_bits) {
  const llvm::RoundingMode rounding = mode(operation.rounding);
  bool loses = false;
  switch (operation.computation) {
    case Computation::float_add: a.add(b, rounding); return a;
    case Computation::float_subtract: a.subtract(b, rounding); return a;
    case Computation::float_multiply: {
      const bool is_exact = a.multiply(b, rounding) == APFloat::opOK;
      return is_exact || operation.rounding != ir::Rounding::none ? std::optional(a) : std::nullopt;
    }
    case Computation::float_multiply_add: a.fusedMultiplyAdd(b, c, rounding); return a;
    case Computation::float_divide: a.divide(b, rounding); return a;
    case Computation::float_absolute: a.clearSign(); return a;
    case Computation::float_negate: a.changeSign(); return a;
    case Computation::float_minimum: return llvm::minnum(a, b);
    case Computation::float_maximum: return llvm::maxnum(a, b);
    case Computation::float_to_whole: a.roundToIntegral(rounding); return a;
    case Computation::float_convert: a.convert(format(result_bits), rounding, &loses); return a;
    default: return std::nullopt;
  }
}

}  // namespace

size_t operands_of(Computation computation) {
  switch (computation) {
    case Computation::float_multiply_add: return 3;
    case Computation::float_add:
    case Computation::float_subtract:
    case Computation::float_multiply:
    case Computation::float_divide:
    case Computation::float_minimum:
    case Computation::float_maximum:
    case Computation::float_compare:
    case Computation::float_compare_to_value: return 2;
    default: return 1;
  }
}

bool is_unrounded(const FloatOperation& operation) {
  switch (operation.computation) {
    case Computation::float_add:
    case Computation::float_subtract:
    case Computation::float_multiply: return operation.rounding == ir::Rounding::none;
    default: return false;
  }
}

uint32_t packed(const FloatOperation& operation) {
  return static_cast<uint32_t>(operation.computation) | static_cast<uint32_t>(operation.rounding) << 8 |
         static_cast<uint32_t>(operation.comparison) << 16 | (operation.or_unordered ? 1U << 24 : 0) |
         (operation.is_signed ? 1U << 25 : 0);
}

FloatOperation unpacked(uint32_t operation) {
  return {static_cast<Computation>(operation & 255), static_cast<ir::Rounding>(operation >> 8 & 255),
          static_cast<ir::Comparison>(operation >> 16 & 255), (operation >> 24 & 1) != 0, (operation >> 25 & 1) != 0};
}

std::optional<uint64_t> compute(const FloatOperation& operation, const uint64_t* operands, unsigned bits,
                                unsigned result_bits) {
  if (operation.computation == Computation::float_from_integer) {
    return from_integer(operation, operands[0], bits, result_bits);
  }
  std::array<APFloat, 3> v = {number(0, bits), number(0, bits), number(0, bits)};
  for (size_t i = 0; i < operands_of(operation.computation); ++i) {
    v[i] = number(operands[i], bits);
    if (bits == 32 && v[i].isDenormal()) return std::nullopt;
  }
  switch (operation.computation) {
    case Computation::float_compare:
    case Computation::float_compare_to_value: return holds(operation, v[0], v[1]) ? 1 : 0;
    case Computation::float_to_integer: return to_integer(operation, v[0], result_bits);
    default: break;
  }
  const auto result = computed(operation, v[0], v[1], v[2], result_bits);
  return result ? bits_of(*result) : std::nullopt;
}

}  // namespace warpspan::lift
