// SPDX-License-Identifier: GPL-3.0-or-later
// Makes lifted functions smaller and plainer without touching their blocks and edges.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>

namespace warpspan::lift {

// Folds what LLVM's instruction simplifier and its sparse conditional constant propagation fold, makes
// comparisons simpler, drops what nothing uses, cuts long chains of dependent values, and makes constants of what loops
// leave behind where that is known. Returns the blocks that cannot be executed: only branches on values that are known,
// for this launch and these arguments, lead to them.
llvm::DenseSet<const llvm::BasicBlock*> simplify(llvm::Function& function);

}  // namespace warpspan::lift
