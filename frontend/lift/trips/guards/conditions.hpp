// SPDX-License-Identifier: GPL-3.0-or-later
// What conditions say of numbers where they are known to hold.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstrTypes.h>

#include "frontend/lift/trips/guards/loop_context.hpp"

namespace warpspan::lift {

// A comparison that holds. Each is given twice, the second time with a and b changed over.
struct Comparison {
  llvm::CmpInst::Predicate predicate = llvm::CmpInst::ICMP_EQ;
  llvm::Value* a = nullptr;
  llvm::Value* b = nullptr;
};
using Comparisons = llvm::SmallVector<Comparison, 8>;

// All comparisons of integers that follow from the condition having that value: through and, or, negation, and phis and
// selects of which all other sides would have given the other value.
void add_comparisons(llvm::Value& condition, bool value, const llvm::DominatorTree& dominators,
                     Comparisons& comparisons);

// Those that hold in each iteration of a loop that another one follows, as the exits say that every iteration comes to.
Comparisons comparisons_of_every_iteration(const LoopContext& context);

// Whether no numbers fulfil all of them: some two that they compare are neither less, nor equal, nor greater, be they
// read as signed or as unsigned numbers. Each number has to have one value for all of them.
bool contradict(const Comparisons& comparisons);

// Those that hold where control goes from one block to another, which follows it, as the branches that all paths there
// take imply, from the nearest up to `first`, which dominates both.
Comparisons comparisons_on_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to, const llvm::BasicBlock& first,
                                const llvm::DominatorTree& dominators);

// The values that an integer has where control goes from one block to another.
llvm::ConstantRange range_on_edge(llvm::Value& value, const llvm::BasicBlock& from, const llvm::BasicBlock& to,
                                  const llvm::DominatorTree& dominators, const ValueRanges& ranges);

// The values that a phi of the header, an integer, has when the loop is entered.
llvm::ConstantRange range_on_entry(const llvm::PHINode& phi, const LoopContext& context);

}  // namespace warpspan::lift
