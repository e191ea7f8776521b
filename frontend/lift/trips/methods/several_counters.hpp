// How often a loop runs of which every turn moves one of several counters, such as the merging of two runs: as often as
// all of them together can move. A single counter is the simplest case.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "frontend/lift/trips/guards/exits.hpp"

namespace warpspan::lift {

// The most times that the header runs each time the loop is entered, by the theorem in several_counters.cpp; nothing if
// the loop is of another kind, or if 2^20 steps or more would only follow from a start or a limit of which as little is
// known.
std::optional<int64_t> trips_by_distances(const llvm::Loop& loop, const llvm::LoopInfo& loops,
                                          const llvm::DominatorTree& dominators, const ValueRanges& ranges);

// Phis of the header, and values that they stay among in all turns, as each goes one way until a limit.
std::vector<std::pair<const llvm::Value*, llvm::ConstantRange>> ranges_of_counters(
    const llvm::Loop& loop, const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators,
    const ValueRanges& ranges);

}  // namespace warpspan::lift
