// SPDX-License-Identifier: GPL-3.0-or-later
// How often the threads of a launch can write to memory that they compare and swap.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"

namespace warpspan::lift {

// Compare-and-retries that loops retry until one succeeds (trips/methods/cas_retry.hpp), and the loops.
using CasRetries = std::map<ir::InstructionId, ir::LoopId>;

// The most writes of all threads of a launch that can change a word which an instruction of `retries` changes:
// each instruction that may write there counts as often as its block runs, but the retries themselves once for each
// time that their loop is entered, as they write only where they succeed. flow: blocks and loops of the kernel, which
// is no program of several bodies. Nothing if it is not known: the grid, a loop without a trip count, writes of another
// kind.
std::optional<int64_t> most_writes(const ir::Kernel& kernel, const ir::Flow& flow, const ir::Launch& launch,
                                   const CasRetries& retries, ir::InstructionId swap);

}  // namespace warpspan::lift
