// SPDX-License-Identifier: GPL-3.0-or-later
// What each assumption about memory and caches buys (docs/model.md, "The ladder").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/result.hpp"
#include "timing/assumptions/assumption.hpp"
#include "timing/bounds/pipeline_run.hpp"

namespace warpspan::timing {

// The pipeline bound with an assumption and all that stand before it.
struct Rung {
  std::optional<Assumption> assumption;  // nothing: the first rung, on which nothing is assumed
  std::optional<int64_t> makespan;       // cycles; nothing if the bound has no value
  std::string what;                      // what it does for this kernel: "5 of 6 accesses cover dense ranges"
};

// From nothing assumed to all that helps; a rung that makes nothing smaller is left out. The makespans fall. Errors:
// those of PipelineRuns::smallest_bound.
support::Result<std::vector<Rung>> ladder(PipelineRuns& runs);

}  // namespace warpspan::timing
