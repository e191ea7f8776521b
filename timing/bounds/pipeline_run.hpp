// SPDX-License-Identifier: GPL-3.0-or-later
// All passes of the pipeline model over one kernel, under sets of assumptions.
#pragma once

#include <memory>
#include <optional>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "support/result.hpp"
#include "timing/assumptions/assumption.hpp"
#include "timing/bounds/pipeline_model.hpp"
#include "timing/bounds/priced_warp.hpp"
#include "timing/costs/code_layout.hpp"
#include "timing/launch/launch.hpp"
#include "timing/machine/model.hpp"
#include "timing/warp/demand.hpp"

namespace warpspan::timing {

// What a priced warp needs of what warps share.
struct WarpNeeds {
  std::shared_ptr<const PricedWarp> warp;
  Demand alone;                      // warp_demand
  Demand launched;                   // with add_retries
  std::optional<CodeLayout> layout;  // fetched_layout, if the machine has figures of fetch
};

struct PipelineRun {
  std::shared_ptr<const WarpNeeds> needs;
  PipelineModel model;
};

// The runs of all passes over one kernel; what does not depend on assumptions is computed once.
class PipelineRuns {
 public:
  // All are kept by reference. Requires trip counts for all loops.
  PipelineRuns(const ir::Kernel& kernel, const ir::Flow& flow, const Load& load, const Machine& machine);
  ~PipelineRuns();

  // The smallest bound that the assumptions allow: assuming more never makes it larger. Errors: an operation without
  // figures; totals that exceed 64 bits; a kernel that never ends.
  support::Result<PipelineRun> smallest_bound(const AssumptionSet& assumed);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpspan::timing
