// The pipeline model (docs/model.md): latencies, in-order issue, and every resource that a warp can wait for, its code
// among them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "ir/meetings.hpp"
#include "solver/makespan/problem.hpp"
#include "solver/makespan/result.hpp"
#include "support/result.hpp"
#include "timing/assumptions/assumption.hpp"
#include "timing/bounds/contention.hpp"
#include "timing/bounds/load_bounds.hpp"
#include "timing/costs/cost.hpp"
#include "timing/costs/fetch.hpp"
#include "timing/launch/launch.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

// What the code of a kernel costs those who fetch it; nothing of either if the machine has no figures of fetch.
struct FetchCosts {
  std::optional<FetchCost> in_turn;  // where blocks are dealt round-robin
  std::optional<FetchCost> any;      // under any greedy dispatcher
};

// layout: fetched_layout, if the machine has figures of fetch. Errors: cycles that exceed 64 bits, a kernel that never
// ends.
support::Result<FetchCosts> fetch_costs(const ir::Kernel& kernel, const std::optional<CodeLayout>& layout,
                                        const Costs& costs, const Machine& machine, const Load& load,
                                        const ir::Meetings& meetings, const AssumptionSet& granted);

// On how many multiprocessors the warps are that the bound for any greedy dispatcher follows, at most.
int64_t followed_multiprocessors(const Load& load, const Machine& machine);

// What warps need with their code to fetch. at_hand: of a warp whose code is at hand. Errors: cycles that exceed 64
// bits.
support::Result<LoadDemand> with_fetching(const ir::Kernel& kernel, const Costs& costs, const ContendedDemand& at_hand,
                                          const FetchCosts& fetch, const ir::Meetings& meetings,
                                          const Machine& machine);

struct PipelineModel {
  solver::Bound bound;
  std::vector<solver::Resource> resources;  // LoadBound::resources
  std::optional<int64_t> any_dispatcher;    // LoadBound::any_dispatcher
  std::optional<FetchCost> fetch;           // of the warps that the bound follows
};

PipelineModel pipeline_model(const Load& load, const Machine& machine, const LoadDemand& demand,
                             const FetchCosts& fetch);

}  // namespace warpspan::timing
