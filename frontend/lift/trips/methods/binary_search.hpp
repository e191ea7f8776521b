// How often a loop runs that halves an interval: a binary search for a place, whatever the values that it compares.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

#include <cstdint>
#include <optional>

#include "frontend/lift/trips/guards/exits.hpp"

namespace warpspan::lift {

// The most times that the header runs each time the loop is entered, by the theorem in binary_search.cpp; nothing if
// the loop is of another kind.
std::optional<int64_t> trips_by_halving(const llvm::Loop& loop, const llvm::DominatorTree& dominators,
                                        const ValueRanges& ranges);

}  // namespace warpspan::lift
