// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps LLVM's analyses from running out of stack, and of time.
#pragma once

#include <llvm/IR/Function.h>

namespace warpspan::lift {

// Scalar evolution follows values to the values they are computed from by recursion. Wherever that could go deeper than
// a few hundred steps, the value passes through a call of kind same, which stops it.
void cut_long_chains(llvm::Function& function);

// For each loop, scalar evolution collects the conditions of all branches that lead to it, one after another through
// blocks with one predecessor, and combines those that are about one value: its time grows with the third power of
// their number. Wherever there would be more than some hundred, a block gets a second edge from its predecessor, which
// ends the chain: what the branches before it have decided is not known after it. To be called on blocks without phis,
// once loops are normalized. Dominators and loops have to be computed anew.
void cut_guard_chains(llvm::Function& function);

}  // namespace warpspan::lift
