// How often a loop runs, by what ranges of values allow: for loops whose turns depend on values that nobody knows, but
// that change one way, such as digits and remainders.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

#include <cstdint>
#include <optional>

#include "frontend/lift/trips/guards/exits.hpp"

namespace warpspan::lift {

// The most times that the header runs each time the loop is entered, by the theorem in value_ranges.cpp; nothing if it
// says nothing, or not within so many evaluations of instructions, which it takes from `budget`.
std::optional<int64_t> trips_by_ranges(const llvm::Loop& loop, const llvm::LoopInfo& loops,
                                       const llvm::DominatorTree& dominators, const ValueRanges& ranges,
                                       int64_t& budget);

}  // namespace warpspan::lift
