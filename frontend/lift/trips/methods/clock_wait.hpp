// Loops that a counter of cycles ends.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <functional>
#include <optional>

#include "frontend/lift/trips/guards/exits.hpp"
#include "ir/flow.hpp"
#include "ir/program.hpp"

namespace warpspan::lift {

// Of an instruction that reads a counter of cycles, each time anew: which special value it is; nothing for others.
using ClockReads = std::function<std::optional<ir::SpecialValue>(const llvm::Instruction&)>;

// Whether the loop goes on only while what has passed on a counter since a read before the loop compares with some
// number: the form of the theorem in clock_wait.cpp, whatever is known of the number.
bool waits_for_clock(const llvm::Loop& loop, const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators,
                     const ClockReads& reads);

// The least limit of such a loop; nothing if there is none, or if reads that are 2^30 cycles apart could miss it.
std::optional<ir::ClockLimit> clock_limit(const llvm::Loop& loop, const llvm::LoopInfo& loops,
                                          const llvm::DominatorTree& dominators, const ClockReads& reads,
                                          const ValueRanges& ranges);

// How often the header of a loop with such a limit runs each time the loop is entered, at most: a warp issues one
// machine instruction a cycle, so a thread's reads of a counter differ.
int64_t most_turns(const ir::ClockLimit& limit);

}  // namespace warpspan::lift
