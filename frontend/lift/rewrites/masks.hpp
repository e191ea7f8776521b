// SPDX-License-Identifier: GPL-3.0-or-later
// Bits that are taken away by arithmetic.
#pragma once

#include <llvm/IR/Instructions.h>

namespace warpspan::lift {

// x - (x & c), also written as a sum, is x & ~c, and x - (x + d & c) is (x + d & ~c) - d, for constants c and d: new
// instructions before the given one; null for all else.
llvm::Value* cleared_bits(llvm::Instruction& instruction);

}  // namespace warpspan::lift
