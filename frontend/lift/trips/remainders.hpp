// How often a loop runs that divides with rest until nothing is left, as Euclid does, whatever the numbers are.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

#include <cstdint>
#include <optional>

#include "frontend/lift/trips/exits.hpp"

namespace warpspan::lift {

// The most times that the header runs each time the loop is entered, by the theorem in remainders.cpp; nothing if the
// loop is of another kind.
std::optional<int64_t> trips_by_remainders(const llvm::Loop& loop, const llvm::DominatorTree& dominators,
                                           const ValueRanges& ranges);

}  // namespace warpspan::lift
