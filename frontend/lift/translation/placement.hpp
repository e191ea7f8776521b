// SPDX-License-Identifier: GPL-3.0-or-later
// Where the instructions of a body stand in its lifted function.
#pragma once

#include <llvm/IR/Dominators.h>

#include <cstdint>
#include <vector>

namespace warpspan::lift {

struct Placement {
  std::vector<llvm::BasicBlock*> blocks;  // of each instruction; null for those that are never executed
  const llvm::DominatorTree* dominators = nullptr;

  // Whether the first instruction is executed before the second whenever the second is; both are executed.
  bool dominates(uint32_t a, uint32_t b) const {
    return blocks[a] == blocks[b] ? a < b : dominators->dominates(blocks[a], blocks[b]);
  }
};

}  // namespace warpspan::lift
