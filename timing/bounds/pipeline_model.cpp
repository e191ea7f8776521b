// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/bounds/pipeline_model.hpp"

#include <algorithm>

#include "timing/assumptions/errors.hpp"
#include "timing/machine/conditions.hpp"

namespace warpspan::timing {

namespace {

using support::Result;

constexpr const char* issues_when_it_can =
    "Each scheduler issues in every cycle in which one of its resident warps is ready: round robin, oldest first, "
    "youngest first and greedy orders do, two-level schedulers that choose among a few active warps do not.";
constexpr const char* in_order =
    "On the way to memory no request of a warp overtakes an earlier one of the same warp; those of others may.";
constexpr const char* no_fetch_figures =
    "Instructions are fetched without waiting: the machine file has no figures of fetch.";
constexpr const char* cycles_of_fetching = "the cycles of fetching its code";

// How many warps of a block the bounds analyse one after another, at most.
int64_t analysed_of_block(const Load& load, solver::SyncOrder sync) {
  return sync == solver::SyncOrder::in_any_order ? load.warps_per_block * load.cluster : 1;
}

// Whom the bound analyses where blocks are dealt round-robin: the blocks of one slot of a multiprocessor, which may be
// taken to have no other (solver/makespan/grid_bound.hpp), and the last.
FetchLoad analysed_round_robin(const Load& load) {
  return {load.device_warps, load.warps, load.warps_per_block, load.blocks, 1};
}

// Whom the bound for any greedy dispatcher, or for clusters, analyses: the blocks of one slot of a multiprocessor, and
// the last block, on another one. Concurrent with them are all that the first has had, and those that the second has
// room for.
FetchLoad analysed_anywhere(const Load& load, const Machine& machine) {
  if (load.cluster > 1) {  // of each cluster one, on any multiprocessor, which may have had all blocks
    return {load.device_warps, load.device_warps, load.warps_per_block, load.device_blocks / load.cluster,
            analysed_multiprocessors(load, machine)};
  }
  const int64_t earlier = (load.device_blocks - 1) / machine.multiprocessors;
  const int64_t concurrent =
      std::min(load.device_blocks, earlier + std::min(load.residency.blocks.most, load.device_blocks));
  return {load.device_warps, concurrent * load.warps_per_block, load.warps_per_block,
          earlier / load.residency.blocks.least + 1, analysed_multiprocessors(load, machine)};
}

}  // namespace

int64_t analysed_multiprocessors(const Load& load, const Machine& machine) {
  if (load.cluster > 1) return std::min(machine.multiprocessors, load.device_blocks);
  return load.device_blocks > machine.multiprocessors ? 2 : 1;
}

Result<FetchCosts> fetch_costs(const ir::Kernel& kernel, const std::optional<CodeLayout>& layout, const Costs& costs,
                               const Machine& machine, const Load& load, solver::SyncOrder sync,
                               const AssumptionSet& assumed) {
  FetchCosts result;
  if (!machine.fetch) return result;
  if (!layout) return exceeds_64_bits(kernel, cycles_of_fetching);
  const auto cost = [&](FetchLoad analysed) {
    analysed.analysed *= analysed_of_block(load, sync);
    return fetch_cost(*layout, costs, machine, analysed, assumed);
  };
  result.round_robin = cost(analysed_round_robin(load));
  result.any = cost(analysed_anywhere(load, machine));
  if (!result.round_robin || !result.any) return exceeds_64_bits(kernel, cycles_of_fetching);
  return result;
}

Result<Demand> add_fetch(const ir::Kernel& kernel, Demand demand, const std::optional<FetchCost>& fetch,
                         const Machine& machine) {
  if (!fetch) return demand;
  bool fits =
      demand.add_joint(fetch->demand, machine) && demand.add_term({solver::Part::Kind::code, fetch->each, fetch->once});
  for (size_t r = 0; r < fetch->demand.size(); ++r) fits = fits && demand.add(r, fetch->demand[r]);
  if (!fits) return exceeds_64_bits(kernel, cycles_of_fetching);
  return demand;
}

PipelineModel pipeline_model(const Load& load, const Machine& machine, const LoadDemand& demand,
                             const FetchCosts& fetch, const RefreshFigures* refresh) {
  LoadBound found = pipeline_bound(load, machine, demand);
  if (refresh != nullptr) found = with_refreshes(std::move(found), *refresh);
  if (load.interference) found = with_interference(std::move(found), *load.interference);
  PipelineModel model;
  model.bound = std::move(found.bound);
  model.resources = std::move(found.resources);
  model.any_dispatcher = found.any_dispatcher;
  model.fetch = found.round_robin ? fetch.round_robin : fetch.any;
  add_assumptions(model.bound, assumptions_of(machine, load.interference.has_value()));
  add_assumptions(model.bound, model.fetch ? model.fetch->assumptions : std::vector<std::string>{no_fetch_figures});
  add_assumptions(model.bound, {issues_when_it_can, in_order});
  return model;
}

}  // namespace warpspan::timing
