// SPDX-License-Identifier: GPL-3.0-or-later
// What an LLVM instruction computes from known operands.
#pragma once

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace warpspan::lift {

// Whether evaluate() may know the instruction: integer arithmetic, comparisons, selections and conversions of at most
// 64 bits, and operations on floating-point numbers (floats.hpp).
bool can_evaluate(const llvm::Instruction& instruction);

// What such an instruction computes, read from it once to be asked often.
class Evaluation {
 public:
  explicit Evaluation(const llvm::Instruction& instruction);

  // The result for operands given by their bits (zero above their width); for a call, its arguments. Nothing where the
  // result is not defined.
  std::optional<uint64_t> operator()(const uint64_t* operands) const;

 private:
  const llvm::Instruction& instruction_;
  unsigned opcode_, bits_, operand_bits_;
  llvm::CmpInst::Predicate predicate_ = llvm::CmpInst::BAD_ICMP_PREDICATE;  // of a comparison
};

// One evaluation.
std::optional<uint64_t> evaluate(const llvm::Instruction& instruction, const uint64_t* operands);

// Whether evaluate() has given a result of floating-point arithmetic without a rounding (is_unrounded) in the module.
bool has_evaluated_unrounded(const llvm::Module& module);

}  // namespace warpspan::lift
