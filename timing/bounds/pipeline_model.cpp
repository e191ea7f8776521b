#include "timing/bounds/pipeline_model.hpp"

#include <algorithm>

#include "support/checked.hpp"
#include "timing/assumptions/errors.hpp"
#include "timing/machine/conditions.hpp"

namespace warpspan::timing {

namespace {

using support::Integer;
using support::Result;

constexpr const char* issues_when_it_can =
    "Each scheduler issues in every cycle in which one of its resident warps is ready: round robin, oldest first, "
    "youngest first and greedy orders do, two-level schedulers that choose among a few active warps do not.";
constexpr const char* in_order =
    "On the way to memory no request of a warp overtakes an earlier one of the same warp; those of others may.";
constexpr const char* no_fetch_figures =
    "Instructions are fetched without waiting: the machine file has no figures of fetch.";
constexpr const char* cycles_of_fetching = "the cycles of fetching its code";

// How many warps of a block the bounds follow one after another, at most.
int64_t followed_of_block(const Load& load, const ir::Meetings& meetings) {
  return meetings.order == ir::Meetings::Order::in_any_order ? load.warps_per_block * load.cluster : 1;
}

solver::Meeting meeting_of(const ir::Meetings& meetings) {
  switch (meetings.order) {
    case ir::Meetings::Order::never: return solver::Meeting::never;
    case ir::Meetings::Order::in_order: return solver::Meeting::in_order;
    case ir::Meetings::Order::in_any_order: break;
  }
  return solver::Meeting::in_any_order;
}

// Whom the bound follows where blocks are dealt round-robin: those of one place of a multiprocessor, and the last one.
FetchLoad followed_in_turn(const Load& load) {
  const int64_t followed = (load.blocks - 1) / load.residency.blocks.least + 1;
  return {load.device_warps, load.warps, load.warps_per_block, followed, 1};
}

// Whom the bound for any greedy dispatcher, or for clusters, follows: the blocks of one place of a multiprocessor, and
// the last block, on another one. Beside them are all that the first has had, and those that the second has room for.
FetchLoad followed_anywhere(const Load& load, const Machine& machine) {
  if (load.cluster > 1) {  // of each cluster one, on any multiprocessor, which may have had all blocks
    return {load.device_warps, load.device_warps, load.warps_per_block, load.device_blocks / load.cluster,
            followed_multiprocessors(load, machine)};
  }
  const int64_t earlier = (load.device_blocks - 1) / machine.multiprocessors;
  const int64_t beside =
      std::min(load.device_blocks, earlier + std::min(load.residency.blocks.most, load.device_blocks));
  return {load.device_warps, beside * load.warps_per_block, load.warps_per_block,
          earlier / load.residency.blocks.least + 1, followed_multiprocessors(load, machine)};
}

// Nothing if a sum exceeds 64 bits.
std::optional<WarpDemand> with_fetching(WarpDemand demand, const FetchCost& fetch, const Machine& machine) {
  for (size_t r = 0; r < demand.resources.size(); ++r) {
    const auto sum = (Integer(demand.resources[r]) + fetch.demand[r]).value();
    if (!sum) return std::nullopt;
    demand.resources[r] = *sum;
    if (demand.splits.empty() || !demand.splits[r]) continue;
    const auto each = (Integer(demand.splits[r]->each) + fetch.demand[r]).value();
    if (!each) return std::nullopt;
    demand.splits[r]->each = *each;
  }
  const Together held(machine);
  for (size_t n = 0; n < neighbours; ++n) {
    Integer lines;
    for (size_t r = 0; r < fetch.demand.size(); ++r)
      lines += held.cycles(r, fetch.demand[r], static_cast<Neighbour>(n));
    const auto unit = held.unit().value();
    const auto more = unit ? ceil_divide(lines, *unit).value() : std::nullopt;
    const auto sum = more ? (Integer(demand.together[n]) + *more).value() : std::nullopt;
    if (!sum) return std::nullopt;
    demand.together[n] = *sum;
    if (n != static_cast<size_t>(Neighbour::scheduler) || !demand.piece) continue;
    const auto of_piece = (Integer(demand.piece->together) + *more).value();  // any piece may have all lines
    if (!of_piece) return std::nullopt;
    demand.piece->together = *of_piece;
  }
  const auto path = (Integer(demand.critical_path) + fetch.each).value();
  if (!path) return std::nullopt;
  demand.critical_path = *path;
  demand.waits.insert(demand.waits.begin(), {solver::Part::Kind::code, fetch.each, fetch.once});
  return demand;
}

}  // namespace

int64_t followed_multiprocessors(const Load& load, const Machine& machine) {
  if (load.cluster > 1) return std::min(machine.multiprocessors, load.device_blocks);
  return load.device_blocks > machine.multiprocessors ? 2 : 1;
}

Result<FetchCosts> fetch_costs(const ir::Kernel& kernel, const std::optional<CodeLayout>& layout, const Costs& costs,
                               const Machine& machine, const Load& load, const ir::Meetings& meetings,
                               const AssumptionSet& granted) {
  FetchCosts result;
  if (!machine.fetch) return result;
  if (!layout) return exceeds_64_bits(kernel, cycles_of_fetching);
  FetchLoad in_turn = followed_in_turn(load), any = followed_anywhere(load, machine);
  in_turn.followed *= followed_of_block(load, meetings);
  any.followed *= followed_of_block(load, meetings);
  result.in_turn = fetch_cost(*layout, costs, machine, in_turn, granted);
  result.any = fetch_cost(*layout, costs, machine, any, granted);
  if (!result.in_turn || !result.any) return exceeds_64_bits(kernel, cycles_of_fetching);
  return result;
}

Result<LoadDemand> with_fetching(const ir::Kernel& kernel, const Costs& costs, const ContendedDemand& at_hand,
                                 const FetchCosts& fetch, const ir::Meetings& meetings, const Machine& machine) {
  LoadDemand demand;
  demand.ticks = costs.ticks;
  demand.meeting = meeting_of(meetings);
  const WarpDemand warp = {at_hand.critical_path, at_hand.resources,
                           at_hand.together,      at_hand.splits,
                           at_hand.piece,         {{solver::Part::Kind::failures, at_hand.failures, 0}}};
  const auto in_turn = fetch.in_turn ? with_fetching(warp, *fetch.in_turn, machine) : warp;
  const auto any = fetch.any ? with_fetching(warp, *fetch.any, machine) : warp;
  if (!in_turn || !any) return exceeds_64_bits(kernel, cycles_of_fetching);
  demand.in_turn = *in_turn;
  demand.any = *any;
  return demand;
}

PipelineModel pipeline_model(const Load& load, const Machine& machine, const LoadDemand& demand,
                             const FetchCosts& fetch) {
  LoadBound found = pipeline_bound(load, machine, demand);
  if (load.interference) found = with_interference(std::move(found), *load.interference);
  PipelineModel model;
  model.bound = std::move(found.bound);
  model.resources = std::move(found.resources);
  model.any_dispatcher = found.any_dispatcher;
  model.fetch = found.in_turn ? fetch.in_turn : fetch.any;
  add_assumptions(model.bound, assumptions_of(machine, load.interference.has_value()));
  add_assumptions(model.bound, model.fetch ? model.fetch->assumptions : std::vector<std::string>{no_fetch_figures});
  add_assumptions(model.bound, {issues_when_it_can, in_order});
  return model;
}

}  // namespace warpspan::timing
