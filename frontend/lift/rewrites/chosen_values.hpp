// SPDX-License-Identifier: GPL-3.0-or-later
// What a choice is where a branch decides its condition.
#pragma once

#include <llvm/IR/Function.h>

namespace warpspan::lift {

// Uses one of the two values of a select wherever control has taken an edge that decides its condition. Predicated code
// is full of these: a register is written under a guard, and read behind a branch on the same predicate.
void use_chosen_values(llvm::Function& function);

}  // namespace warpspan::lift
