// What the user says about loops, against what is proven about them.
#pragma once

#include <vector>

#include "frontend/loop_places.hpp"
#include "ir/flow.hpp"
#include "ir/kernel_code.hpp"
#include "support/diagnostic.hpp"
#include "support/source_file.hpp"

namespace warpspan::frontend {

struct AppliedBounds {
  std::vector<ir::LoopBoundUse> uses;  // in the order of the loops
  support::Diagnostics errors;         // a bound that cannot be true
};

// Gives each loop of the kernel the smaller of its proven trip count and the user's, with its source: where they are
// equal the proven one stands, and nothing is assumed. A user's bound below a number of trips that is proven to happen
// is an error: of an option at the loop, of a file at its line there.
AppliedBounds apply_loop_bounds(const support::SourceFile& file, const ir::Kernel& kernel,
                                const std::vector<HeaderPlace>& headers, const std::vector<ir::LoopBound>& bounds,
                                ir::Flow& flow);

// An error, at the loop, for each loop without a bound.
support::Diagnostics check_loop_bounds(const support::SourceFile& file, const ir::Kernel& kernel,
                                       const std::vector<HeaderPlace>& headers, const ir::Flow& flow);

}  // namespace warpspan::frontend
