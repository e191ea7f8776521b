// SPDX-License-Identifier: GPL-3.0-or-later
// What one lane gives to all of those that execute an instruction together.
#pragma once

#include "frontend/lift/translation/lift.hpp"
#include "frontend/lift/values/uniformity.hpp"
#include "ir/program.hpp"

namespace warpspan::lift {

// A guarded indexed branch is two branches, of which the second is in a block of its own.
bool is_second_part(const FlowGraph& graph, const llvm::BasicBlock& block);

// Where lanes reconverge by what the body declares; empty if it declares nothing.
ReconvergencePoints declared_points(const ir::Body& body, const FlowGraph& graph);

// Puts the source of an instruction that gives all lanes that of one (OperationFacts::of_one_lane) in place of its
// result, where all lanes that are there together have the same. Whether there was one.
bool use_common_values(const ir::Body& body, const Lifted& lifted);

}  // namespace warpspan::lift
