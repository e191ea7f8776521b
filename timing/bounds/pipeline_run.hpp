// All passes of the pipeline model over one kernel, under sets of assumptions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "support/result.hpp"
#include "timing/assumptions/assumption.hpp"
#include "timing/bounds/contention.hpp"
#include "timing/bounds/pipeline_model.hpp"
#include "timing/costs/code_layout.hpp"
#include "timing/costs/cost.hpp"
#include "timing/costs/memory_model.hpp"
#include "timing/launch/launch.hpp"
#include "timing/machine/model.hpp"
#include "timing/warp/demand.hpp"
#include "timing/warp/one_warp.hpp"

namespace warpspan::timing {

// A warp whose instructions have their costs, under what is granted and kept.
struct PricedWarp {
  std::vector<ir::InstructionId> origins;  // ConstantReads::origins
  AssumptionSet granted;                   // what is granted of accesses
  Order order = Order::given;              // of its instructions
  Keeping keeping;
  ServedCode code;
  Costs costs;
  int64_t worst = 0;  // cycles of one warp alone, what it waits for once left out
  int64_t once = 0;   // cycles for lines of data that it waits for once
};

// What it needs of what warps share.
struct WarpNeeds {
  std::shared_ptr<const PricedWarp> warp;
  ResourceDemand resources;  // of one warp
  ContendedDemand contended;
  std::optional<CodeLayout> layout;  // fetched_layout, if the machine has figures of fetch
};

struct PipelineRun {
  std::shared_ptr<const WarpNeeds> needs;
  PipelineModel model;
};

// The runs of all passes over one kernel; what does not depend on what is granted is computed once.
class PipelineRuns {
 public:
  // All are kept by reference. Requires trip counts for all loops.
  PipelineRuns(const ir::Kernel& kernel, const ir::Flow& flow, const Load& load, const Machine& machine);
  ~PipelineRuns();

  // The least bound that what is granted allows: granting more never makes it larger. Errors: an operation without
  // figures; totals that exceed 64 bits; a kernel that never ends.
  support::Result<PipelineRun> least(const AssumptionSet& granted);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpspan::timing
