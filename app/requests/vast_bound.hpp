// SPDX-License-Identifier: GPL-3.0-or-later
// Bounds that are too large to be believed, and the loop that makes them so.
#pragma once

#include <optional>

#include "app/reports/analyze/analyze_report.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::app {

// Cycles: some ten minutes of a GPU's clock. A kernel that is bounded by more most likely has a loop that is counted
// too often.
constexpr int64_t most_believable_cycles = 1'000'000'000'000;

// A warning at the loop, where the kernel's bound exceeds that and it has a loop. Of the loops whose iterations, with
// those of the loops around them, are the most, it names the one with the most iterations, and the option that bounds
// it.
std::optional<support::Diagnostic> vast_bound(const KernelReport& report);

}  // namespace warpspan::app
