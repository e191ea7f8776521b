// SPDX-License-Identifier: GPL-3.0-or-later
// The exits of a loop that each of its iterations passes.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <vector>

namespace warpspan::lift {

// A count of as many iterations or more that depends on an unknown value only means that the value has a type.
inline constexpr int64_t useless_distance = int64_t{1} << 20;

// A conditional branch out of the loop.
struct Exit {
  const llvm::BasicBlock* block = nullptr;
  llvm::Value* condition = nullptr;
  bool stays = true;  // the condition's value with which the loop goes on
};

// The exits that every iteration passes before the next one: at least once, and once where no loop inside holds the
// block. None if the loop has several latches.
std::vector<Exit> exits_of_every_iteration(const llvm::Loop& loop, const llvm::DominatorTree& dominators);

}  // namespace warpspan::lift
