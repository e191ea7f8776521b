// SPDX-License-Identifier: GPL-3.0-or-later
// Bits that are taken away by arithmetic.
#pragma once

#include <llvm/IR/Instructions.h>

namespace warpspan::lift {

// y + d - (y & c) is (y & ~c) + d for constants c and d, however the sums are written: new instructions before the
// given one; null for all else.
llvm::Value* cleared_bits(llvm::Instruction& instruction);

}  // namespace warpspan::lift
