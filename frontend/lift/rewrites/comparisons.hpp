// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons in the form that scalar evolution understands best.
#pragma once

#include <llvm/IR/Instructions.h>

namespace warpspan::lift {

// A new instruction before the given one that always has the same value and is simpler; null if there is none:
// the opposite comparison instead of "not" of one, and the comparison of a value with a constant instead of that of
// the value's extension.
llvm::Value* simpler_comparison(llvm::Instruction& instruction);

}  // namespace warpspan::lift
