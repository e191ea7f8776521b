// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that try a compare-and-swap until it succeeds.
#pragma once

#include <llvm/IR/Instructions.h>

#include "frontend/lift/trips/methods/trip_methods.hpp"

namespace warpspan::lift {

// The compare-and-swap of the theorem in cas_retry.cpp: after each iteration but the first one that goes on, another
// thread has written what it compares. Null if the loop has none.
const llvm::Instruction* retried_swap(const TripContext& context);

}  // namespace warpspan::lift
