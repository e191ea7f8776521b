// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline model (docs/model.md): latencies, in-order issue, and every resource that a warp can wait for, its code
// among them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/kernel.hpp"
#include "solver/makespan/problem.hpp"
#include "solver/makespan/result.hpp"
#include "support/result.hpp"
#include "timing/assumptions/assumption.hpp"
#include "timing/bounds/load_bounds.hpp"
#include "timing/costs/cost.hpp"
#include "timing/costs/fetch.hpp"
#include "timing/launch/launch.hpp"
#include "timing/machine/model.hpp"
#include "timing/warp/demand.hpp"

namespace warpspan::timing {

// What the code of a kernel costs those who fetch it; nothing of either if the machine has no figures of fetch.
struct FetchCosts {
  std::optional<FetchCost> round_robin;  // where blocks are dealt round-robin
  std::optional<FetchCost> any;          // under any greedy dispatcher
};

// layout: fetched_layout, if the machine has figures of fetch. Errors: cycles that exceed 64 bits, a kernel that never
// ends.
support::Result<FetchCosts> fetch_costs(const ir::Kernel& kernel, const std::optional<CodeLayout>& layout,
                                        const Costs& costs, const Machine& machine, const Load& load,
                                        solver::SyncOrder sync, const AssumptionSet& assumed);

// On how many multiprocessors the warps are that the bound for any greedy dispatcher analyses, at most.
int64_t analysed_multiprocessors(const Load& load, const Machine& machine);

// Adds the lines that a warp fetches, and its wait for them. Errors: cycles that exceed 64 bits.
support::Result<Demand> add_fetch(const ir::Kernel& kernel, Demand demand, const std::optional<FetchCost>& fetch,
                                  const Machine& machine);

struct PipelineModel {
  solver::Bound bound;
  std::vector<solver::Resource> resources;  // LoadBound::resources
  std::optional<int64_t> any_dispatcher;    // LoadBound::any_dispatcher
  std::optional<FetchCost> fetch;           // of the analysed warps
};

// refresh: where the demand has no waits for refreshes, and these are counted by the time of the launch; or nullptr.
PipelineModel pipeline_model(const Load& load, const Machine& machine, const LoadDemand& demand,
                             const FetchCosts& fetch, const RefreshFigures* refresh);

}  // namespace warpspan::timing
