// SPDX-License-Identifier: GPL-3.0-or-later
// What is left of an unrolled loop's count, where each number of iterations that may be left has code of its own.
#pragma once

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace warpspan::lift {

// A phi that is b + k, or b - k, on all edges that are taken where a number x, of four bits at most, is k: the sum of b
// and x, or their difference, as new instructions behind the phis of its block. Null for all else.
llvm::Value* counted_cases(llvm::Instruction& instruction, const llvm::DominatorTree& dominators);

}  // namespace warpspan::lift
