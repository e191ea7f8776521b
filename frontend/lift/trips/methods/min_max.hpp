// SPDX-License-Identifier: GPL-3.0-or-later
// A normal form of minima and maxima.
#pragma once

#include <llvm/Analysis/ScalarEvolution.h>

#include "frontend/lift/trips/guards/case_split.hpp"

namespace warpspan::lift {

// The same case, with min(A, B) written as ~max(~A, ~B) where that takes away more minus signs than it adds, and so
// on: min(n - x, m) and max(x - n, ~m) become sums of the same maximum. What is very large stays as it is.
Case with_least_negation(const Case& number, llvm::ScalarEvolution& evolution);

}  // namespace warpspan::lift
