// SPDX-License-Identifier: GPL-3.0-or-later
// Quotients that machine code calculates from an estimate of the reciprocal.
#pragma once

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace warpspan::lift {

// New instructions before the given one that always have its value, where it is a quotient or a remainder of 32 bits
// without sign that machine code has calculated, or n - n / b * b, which is a remainder; null if it is none.
llvm::Value* recognised_quotient(llvm::Instruction& instruction);

// The same absolute value, calculated before, so that signed divisions use one of each of their operands; null if there
// is none.
llvm::Value* same_magnitude(llvm::Instruction& instruction, const llvm::DominatorTree& dominators);

}  // namespace warpspan::lift
