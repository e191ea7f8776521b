// SPDX-License-Identifier: GPL-3.0-or-later
// Bits that are taken away by arithmetic, and such that nothing depends on.
#pragma once

#include <llvm/IR/Instructions.h>

namespace warpspan::lift {

// y + d - (y & c) is (y & ~c) + d for constants c and d, however the sums are written: new instructions before the
// given one; null for all else.
llvm::Value* cleared_bits(llvm::Instruction& instruction);

// Puts 0 in place of x & c, for a constant c, where nothing depends on any bit that is set in c: what machine code
// leaves in the upper half of a register that it counts in the lower half of. Whether there was one.
bool drop_unused_bits(llvm::Function& function);

}  // namespace warpspan::lift
