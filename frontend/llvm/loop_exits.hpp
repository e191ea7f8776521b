// What the exit tests of loops depend on that is not known.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include <string>
#include <vector>

#include "ir/kernel.hpp"

namespace warpspan::lift {

using BlockSet = llvm::DenseSet<const llvm::BasicBlock*>;

// Calls that the condition at the end of a block of the loop depends on and whose values may lie in a range of more
// than 2^24 numbers, or are conditions themselves. They are followed through arithmetic and phis, and from a counter of
// a loop around this one to the exit tests of that loop.
std::vector<const llvm::Instruction*> unknown_sources(const llvm::Loop& loop, const llvm::BasicBlock& exiting);

// Why no trip count was found, in a few words that go on from "no bound for the loop: ". `dead` blocks are not
// executed.
std::string obstacle(const llvm::Loop& loop, const BlockSet& dead, const ir::Kernel& kernel);

}  // namespace warpspan::lift
