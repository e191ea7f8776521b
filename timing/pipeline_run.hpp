// All passes of the pipeline model over one kernel, under one set of assumptions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "support/result.hpp"
#include "timing/assumption.hpp"
#include "timing/constant_reads.hpp"
#include "timing/contention.hpp"
#include "timing/cost.hpp"
#include "timing/demand.hpp"
#include "timing/launch.hpp"
#include "timing/machine/model.hpp"
#include "timing/memory_model.hpp"
#include "timing/pipeline_model.hpp"

namespace warpspan::timing {

struct PipelineRun {
  std::vector<ir::InstructionId> origins;  // ConstantReads::origins
  ServedCode code;
  Costs costs;
  int64_t worst = 0;         // cycles of one warp alone, what it waits for once left out
  ResourceDemand resources;  // of one warp
  ContendedDemand contended;
  PipelineModel model;
};

// The least bound that what is granted allows: granting more never makes it larger. Requires trip counts for all loops.
// Errors: an operation without figures; totals that exceed 64 bits; a kernel that never ends.
support::Result<PipelineRun> run_pipeline(const ir::Kernel& kernel, const ir::Flow& flow, const Load& load,
                                          const Machine& machine, const AssumptionSet& granted);

}  // namespace warpspan::timing
