// SPDX-License-Identifier: GPL-3.0-or-later
// How often a loop runs, by running what decides it: for counters that follow from constants, the thread's position and
// values of few possibilities, such as shifted strides, counts down to zero and tests for inequality.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>

#include <cstdint>
#include <functional>
#include <optional>

#include "frontend/lift/trips/methods/trip_counts.hpp"
#include "ir/kernel.hpp"

namespace warpspan::lift {

class TripSimulation {
 public:
  // The most iterations of a loop around the one that is asked for, if they are known.
  using KnownCount = std::function<std::optional<int64_t>(const llvm::Loop&)>;

  TripSimulation(const llvm::DominatorTree& dominators, const llvm::PostDominatorTree& post_dominators,
                 const llvm::LoopInfo& loops, const ir::Extent& block)
      : dominators_(dominators), post_dominators_(post_dominators), loops_(loops), block_(block) {}

  // How often the header runs each time the loop is entered, over all threads of the block, all iterations of the loops
  // around it, and all values of what is not known but has few; nothing if it depends on anything else or takes too
  // long to find out.
  std::optional<Trips> count(const llvm::Loop& loop, const KnownCount& known);

 private:
  std::optional<Trips> count(const llvm::Loop& loop, const KnownCount& known, bool takes_inputs);

  const llvm::DominatorTree& dominators_;
  const llvm::PostDominatorTree& post_dominators_;
  const llvm::LoopInfo& loops_;
  ir::Extent block_;
  int64_t budget_ = 20'000'000;  // evaluations of nodes, for all loops of the kernel
};

}  // namespace warpspan::lift
