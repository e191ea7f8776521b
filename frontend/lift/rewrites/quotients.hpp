// SPDX-License-Identifier: GPL-3.0-or-later
// Quotients that machine code calculates from an estimate of the reciprocal.
#pragma once

#include <llvm/IR/Instructions.h>

namespace warpspan::lift {

// New instructions before the given one that always have its value, where it is a quotient or a remainder of 32 bits
// without sign that machine code has calculated, or n - n / b * b, which is a remainder; null if it is none.
llvm::Value* recognised_quotient(llvm::Instruction& instruction);

}  // namespace warpspan::lift
