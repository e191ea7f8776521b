// SPDX-License-Identifier: GPL-3.0-or-later
// What the user says about loops, against what is proven about them.
#pragma once

#include <string>
#include <vector>

#include "frontend/reading/loop_places.hpp"
#include "ir/flow.hpp"
#include "ir/kernel_code.hpp"
#include "support/diagnostic.hpp"
#include "support/source_file.hpp"

namespace warpspan::frontend {

// "'$L__BB0_2' (kernel.cu:42)", as messages name a loop.
std::string loop_name(const ir::Loop& loop);

// "{loop_bound} '$L__BB0_2=N'": how to bound the loop (ir::mention), as a shell reads it.
std::string loop_bound_option(const ir::Loop& loop);

// Which loops look like waiting.
void find_waits(const ir::Kernel& kernel, ir::Flow& flow);

struct AppliedBounds {
  std::vector<ir::LoopBoundUse> uses;  // in the order of the loops; `bound` is an index into `bounds`
  support::Diagnostics errors;         // a bound that cannot be true
};

// The bounds, all for the kernel, give each of its loops the smaller of its proven trip count and the user's, with its
// source: where they are equal the proven one stands, and nothing is assumed. Of times that loops take, each gets the
// smallest. A user's bound below a number of trips
// that is proven to happen is an error: of an option at the loop, of a file at its line there.
AppliedBounds apply_loop_bounds(const support::SourceFile& file, const ir::Kernel& kernel,
                                const std::vector<HeaderPlace>& headers, const std::vector<ir::LoopBound>& bounds,
                                ir::Flow& flow);

// An error, at the loop, for each loop without a bound and without a time that it takes at most.
support::Diagnostics check_loop_bounds(const support::SourceFile& file, const ir::Kernel& kernel,
                                       const std::vector<HeaderPlace>& headers, const ir::Flow& flow);

}  // namespace warpspan::frontend
