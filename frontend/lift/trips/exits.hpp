// What is asked of every loop: the exits that each turn passes, and the values with which it begins.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <functional>
#include <vector>

namespace warpspan::lift {

// The values that an integer can have wherever it is computed.
using ValueRanges = std::function<llvm::ConstantRange(llvm::Value&)>;

// A conditional branch out of the loop.
struct Exit {
  const llvm::BasicBlock* block = nullptr;
  llvm::Value* condition = nullptr;
  bool stays = true;  // the condition's value with which the loop goes on
};

// The exits that every turn passes before the next one: at least once, and once where no loop inside holds the block.
// None if the loop has several latches.
std::vector<Exit> exits_of_every_turn(const llvm::Loop& loop, const llvm::DominatorTree& dominators);

// The values that a phi of the header, an integer, can have when the loop is entered.
llvm::ConstantRange range_at_entry(const llvm::PHINode& phi, const llvm::Loop& loop, const ValueRanges& ranges);

}  // namespace warpspan::lift
