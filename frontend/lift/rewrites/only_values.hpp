// SPDX-License-Identifier: GPL-3.0-or-later
// What a phi is to which only one value comes, by edges that may be taken.
#pragma once

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace warpspan::lift {

// The only value that comes to a phi which is not poison, computed where it dominates the phi; null if there is none.
// Code that tests before a loop whether to enter it computes what is used behind the loop only where it enters, though
// it always does. New instructions are at the end of the phi block's immediate dominator.
llvm::Value* only_value(llvm::Instruction& instruction, const llvm::DominatorTree& dominators);

}  // namespace warpspan::lift
