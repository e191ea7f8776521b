// SPDX-License-Identifier: GPL-3.0-or-later
// A loop, and what is known of the function around it.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Dominators.h>

#include <functional>

namespace warpspan::lift {

// The values that an integer can have wherever it is computed.
using ValueRanges = std::function<llvm::ConstantRange(llvm::Value&)>;

struct LoopContext {
  const llvm::Loop& loop;
  const llvm::LoopInfo& loops;
  const llvm::DominatorTree& dominators;
  llvm::ScalarEvolution& evolution;
  const ValueRanges& ranges;
};

}  // namespace warpspan::lift
