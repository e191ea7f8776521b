// What the user says about loops, against what is proven about them.
#pragma once

#include <vector>

#include "frontend/ptx/ast.hpp"
#include "ir/flow.hpp"
#include "support/diagnostic.hpp"
#include "support/source_file.hpp"

namespace warpspan::frontend {

// Gives each loop of the kernel, whose instructions are those of `function`, the smaller of its proven trip count and
// the user's, with its source: where they are equal the proven one stands, and nothing is assumed. Errors, at the loop:
// a user's bound below a number of trips that is proven to happen, and a loop that neither bounds.
support::Diagnostics apply_loop_bounds(const support::SourceFile& file, const ptx::Function& function,
                                       const ir::Kernel& kernel, const std::vector<ir::LoopBound>& bounds,
                                       ir::Flow& flow);

}  // namespace warpspan::frontend
