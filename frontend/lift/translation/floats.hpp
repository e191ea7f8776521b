// SPDX-License-Identifier: GPL-3.0-or-later
// Floating-point arithmetic of 32 and 64 bits as GPUs do it (IEEE 754; PTX ISA 9.7.3, 9.7.6, 9.7.9), where every
// assembler and every GPU has the same result. The ISA allows a sum without a rounding to be optimized, and
// fused with a product without one; ptxas 13.0 does nothing else to it, such as to x + 1 + 1, x + 0, x - x or x + y -
// x. What rests on that is an assumption of the result (ir::Flow::unrounded_floats).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "ir/semantics.hpp"

namespace warpspan::lift {

struct FloatOperation {
  ir::Computation computation = ir::Computation::unknown;  // one that computes_floats()
  ir::Rounding rounding = ir::Rounding::none;
  ir::Comparison comparison = ir::Comparison::none;  // of float_compare and float_compare_to_value
  bool or_unordered = false;                         // likewise
  bool is_signed = false;                            // the integer of a conversion
};

size_t operands_of(ir::Computation computation);

// Whether it is a sum or a product for which no rounding is given.
bool is_unrounded(const FloatOperation& operation);

uint32_t packed(const FloatOperation& operation);
FloatOperation unpacked(uint32_t operation);

// The bits of the result, of that many bits (1 of both comparisons), of operands of `bits` bits. Nothing for
// - a result that is not a number, of which the bits are not specified;
// - operands of 32 bits nearer to zero than all normal numbers, and results not farther from it than the least of
//   these, but zero itself: with .ftz, and for GPUs of compute capability 1, they are zero;
// - a product without a rounding that is not exact: assemblers may add to it before it is rounded, which makes no
//   difference to one that is;
// - an integer that its type does not hold.
std::optional<uint64_t> compute(const FloatOperation& operation, const uint64_t* operands, unsigned bits,
                                unsigned result_bits);

}  // namespace warpspan::lift
