// Loops that try a compare-and-swap until it succeeds.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <functional>

namespace warpspan::lift {

// The compare-and-swap of the theorem in cas_retry.cpp: after each turn but the first one that goes on, another thread
// has written what it compares. Null if the loop has none. is_swap: whether an instruction of the loop is a
// compare-and-swap whose operands begin with the address and what it expects, and whose value is what it finds.
const llvm::Instruction* retried_swap(const llvm::Loop& loop, const llvm::LoopInfo& loops,
                                      const llvm::DominatorTree& dominators, llvm::ScalarEvolution& evolution,
                                      const std::function<bool(const llvm::Instruction&)>& is_swap);

}  // namespace warpspan::lift
