// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks that are found not to be executed once the analyses run.
#pragma once

#include <llvm/IR/Dominators.h>

#include <functional>

#include "frontend/lift/trips/guards/loop_exits.hpp"

namespace warpspan::lift {

// Adds `first`, which is not executed, and all blocks that it dominates to the dead ones. Phis behind them lose what
// would come from there; where one value is left it takes their place, in sums that clear bits too (masks.hpp).
// `changes` is called before a phi changes.
void mark_dead(llvm::BasicBlock& first, const llvm::DominatorTree& dominators, BlockSet& dead,
               const std::function<void(llvm::PHINode&)>& changes);

}  // namespace warpspan::lift
