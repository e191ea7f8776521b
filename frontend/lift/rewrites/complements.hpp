// SPDX-License-Identifier: GPL-3.0-or-later
// What compilers make of limits that count down: complements of differences and of the smaller of two numbers.
#pragma once

#include <llvm/IR/Instructions.h>

namespace warpspan::lift {

// The value without the complement inside it; null if there is none:
//   a + ~b                ~(b - a)
//   max(~a, c)            ~min(a, ~c), for a constant c; likewise min, and both unsigned
//   c - ~a                a + (c + 1)
// All are exact in wrapping arithmetic, since ~a is -1 - a, and the larger of two numbers has the smaller complement.
llvm::Value* simpler_complement(llvm::Instruction& instruction);

}  // namespace warpspan::lift
