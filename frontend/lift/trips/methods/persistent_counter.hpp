// How often a loop runs whose counter goes on where it was left when the loop ran before, such as one that keeps the
// stages of a pipeline filled.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>

#include <cstdint>
#include <optional>

namespace warpspan::lift {

// The most times that the header runs each time the loop is entered, by the theorem in persistent_counter.cpp; nothing
// if the loop is of another kind, or the distance from start to limit is not known, or only to be less than 2^20 or
// more.
std::optional<int64_t> trips_of_carried(const llvm::Loop& loop, const llvm::LoopInfo& loops,
                                        const llvm::DominatorTree& dominators, llvm::ScalarEvolution& evolution);

}  // namespace warpspan::lift
