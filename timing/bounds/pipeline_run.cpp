// SPDX-License-Identifier: GPL-3.0-or-later
// What is cached may cost less or more than reading it anew: where a warp reads ten parameters at once it waits for one
// line, and where each of them is counted once for its multiprocessor, for ten. Each scenario is safe, so the least of
// their bounds is. Without what is cached, assuming more makes every latency, occupancy and number of transactions at
// most as large as before, and so the bound.
#include "timing/bounds/pipeline_run.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ir/sync_points.hpp"
#include "timing/assumptions/errors.hpp"
#include "timing/bounds/persistence.hpp"
#include "timing/bounds/retries.hpp"
#include "timing/costs/fair_share.hpp"
#include "timing/costs/fetch.hpp"
#include "timing/costs/reuse.hpp"
#include "timing/warp/waiting.hpp"

namespace warpspan::timing {

namespace {

using support::Result;

constexpr size_t most_objects = 8;  // that are tried, one after another

// What no assumption changes.
struct LaunchedKernel {
  const ir::Kernel& kernel;
  const Load& load;
  const Machine& machine;
  ir::SyncPoints sync;
  Footprint footprint;
  bool has_tables = false;  // table_lines
  // fetches_of_lines by fetch_key, where it was asked for.
  std::map<std::pair<bool, bool>, std::vector<LineFetches>> fetches = {};

  // Whether `aligned` is assumed, and serves_lines_once.
  std::pair<bool, bool> fetch_key(const AssumptionSet& assumed) const {
    return {assumed.has(Assumption::aligned), serves_lines_once(kernel, assumed)};
  }

  std::span<const LineFetches> fetches_under(const AssumptionSet& assumed) const {
    const auto found = fetches.find(fetch_key(assumed));
    return found == fetches.end() ? std::span<const LineFetches>() : found->second;
  }

  solver::SyncOrder order() const {
    switch (sync.order) {
      case ir::SyncPoints::Order::never: return solver::SyncOrder::never;
      case ir::SyncPoints::Order::in_order: return solver::SyncOrder::in_order;
      case ir::SyncPoints::Order::in_any_order: break;
    }
    return solver::SyncOrder::in_any_order;
  }
};

bool is_smaller(const solver::Bound& a, const solver::Bound& b) {
  return a.makespan && (!b.makespan || *a.makespan < *b.makespan);
}

bool fetches_again(const FetchCost& fetch) {
  return std::any_of(fetch.levels.begin(), fetch.levels.end(), [](const FetchLevel& level) { return level.each > 0; });
}

std::string any_order(const LaunchedKernel& launched) {
  const ir::Kernel& kernel = launched.kernel;
  const ir::Instruction& cause = kernel.instructions[launched.sync.cause];
  return "The warps of a block may wait for one another in any order (" + kernel.location.file + ":" +
         std::to_string(cause.line) + ", " + kernel.operation(cause).text + "): the paths of all " +
         std::to_string(launched.load.warps_per_block) + " are added.";
}

// A warp's own requests, once.
bool add_own_requests(Demand& demand, const Costs& costs, const Machine& machine) {
  std::vector<support::Integer> occupied;
  for (const solver::ResourceDemand& resource : demand.resources) occupied.emplace_back(resource.worker);
  const auto cycles = own_requests(occupied, costs, machine).value();
  return cycles && demand.add_term({solver::Part::Kind::requests, *cycles, 0});
}

// The runs over one form of the code: that in which constants are read whenever they are needed, or that in which they
// are cached.
class CodeRuns {
 public:
  CodeRuns(const LaunchedKernel& launched, const ir::Flow& flow, bool caches_constants)
      : launched_(launched),
        caches_constants_(caches_constants),
        code_(with_constant_reads(launched.kernel, flow, caches_constants, integers_in_memory(launched.machine))) {}

  // Requires differs().
  Result<PipelineRun> smallest_bound(const AssumptionSet& assumed);
  // Of the form in which constants are cached: whether it has a scenario that the other one has not.
  bool differs() const { return saves_reads() || constants_fit_cache(launched_.kernel, launched_.machine); }

 private:
  using Warp = std::shared_ptr<const PricedWarp>;
  using Needs = std::shared_ptr<const WarpNeeds>;

  Result<Warp> price(const AssumptionSet& assumed, const Persistence& cached) const;
  Result<Warp> price_with_cached_objects(const AssumptionSet& assumed, const Persistence& cached) const;
  std::vector<Result<Warp>> price_scenarios(const AssumptionSet& assumed) const;
  std::vector<Result<Warp>> with_joined(std::vector<Result<Warp>> all) const;
  Result<Needs> needs_of(Warp warp);
  Result<PipelineRun> run(Warp warp, const AssumptionSet& assumed);
  // Where caching constants saves no reads, the other form is the same code.
  bool saves_reads() const { return !caches_constants_ || code_.persistence_matters; }

  const LaunchedKernel& launched_;
  bool caches_constants_;
  const ConstantReads code_;
  // By Persistence, without single objects and numbers of fetches, and by how pages and refreshes count: what was found
  // last. What is assumed next often changes nothing of it.
  using CacheKey = std::tuple<bool, bool, bool, bool, bool, bool, Joined>;
  static CacheKey key_of(const Scenario& scenario) {
    const Persistence& cached = scenario.cached;
    return {cached.constants,
            cached.data,
            cached.fetches.empty(),
            cached.tables,
            scenario.accesses.has(Assumption::keeps_pages),
            scenario.accesses.has(Assumption::even_refresh),
            scenario.joined};
  }
  std::map<CacheKey, Needs> latest_;
};

Result<CodeRuns::Warp> CodeRuns::price(const AssumptionSet& assumed, const Persistence& cached) const {
  const bool is_given = launched_.kernel.is_machine_code() || assumed.has(Assumption::ptx_order);
  const Scenario scenario = {assumed.about(Subject::accesses), is_given ? Order::given : Order::any, cached};
  const auto known = latest_.find(key_of(scenario));
  return price_warp(launched_.kernel, code_, launched_.footprint, launched_.machine, scenario,
                    known != latest_.end() ? known->second->warp : nullptr);
}

// With the objects of which it is better to wait for each line once, and to count every load as one that a cache has.
Result<CodeRuns::Warp> CodeRuns::price_with_cached_objects(const AssumptionSet& assumed,
                                                           const Persistence& cached) const {
  const size_t objects = std::min(launched_.footprint.objects.size(), most_objects);
  auto least = price(assumed, cached);
  for (ir::ObjectId object = 0; object < objects && least; ++object) {
    if (cached.fetches_of(object) == 0) continue;
    Persistence more = (*least)->scenario.cached;
    more.by_warps.push_back(object);
    auto with = price(assumed, more);
    if (!with || (*with)->worst + (*with)->first_misses >= (*least)->worst + (*least)->first_misses) continue;
    least = std::move(with);
  }
  if (least && cached.fetches_of_local() > 0 && launched_.footprint.local_lines_of_warp > 0) {
    Persistence more = (*least)->scenario.cached;
    more.local_by_warps = true;
    auto with = price(assumed, more);
    if (with && (*with)->worst + (*with)->first_misses < (*least)->worst + (*least)->first_misses) return with;
  }
  return least;
}

std::vector<Result<CodeRuns::Warp>> CodeRuns::price_scenarios(const AssumptionSet& assumed) const {
  const bool constants = caches_constants_ && constants_fit_cache(launched_.kernel, launched_.machine);
  const bool data = assumed.has(Assumption::keeps) && data_fits_cache(launched_.footprint, launched_.machine);
  std::span<const LineFetches> fetches;
  if (assumed.has(Assumption::recent)) fetches = launched_.fetches_under(assumed);
  const bool tables = assumed.has(Assumption::keeps_constants) && launched_.has_tables;
  const Machine& machine = launched_.machine;
  const bool has_caches = machine.data_cache(l2_cache) != nullptr && machine.data_cache(constant_cache) != nullptr;
  const bool parameters = assumed.has(Assumption::warm_parameters) && has_caches && launched_.kernel.is_machine_code();
  std::vector<Result<Warp>> all;
  const auto add = [&](Persistence cached) {
    cached.parameters = parameters;
    all.push_back(price_with_cached_objects(assumed, cached));
    if (!tables) return;
    Persistence more = cached;
    more.tables = true;
    all.push_back(price_with_cached_objects(assumed, more));
  };
  if (saves_reads()) add({});
  if (constants) add({true, false, {}});
  for (const bool with_constants : {true, false}) {
    if (with_constants ? !constants : !saves_reads()) continue;
    if (data) add({with_constants, true, {}, {}});
    for (const LineFetches& recent : fetches) add({with_constants, true, {}, recent});
  }
  return all;
}

Result<CodeRuns::Needs> CodeRuns::needs_of(Warp warp) {
  Needs& latest = latest_[key_of(warp->scenario)];
  if (latest != nullptr && latest->warp == warp) return latest;
  const Machine& machine = launched_.machine;
  const CostedKernel costed = warp->costed(machine);
  auto alone = warp_demand(costed, warp->worst, launched_.order());
  if (!alone) return alone.errors();
  if (warp->costs.shares && !add_own_requests(*alone, warp->costs, machine)) {
    return exceeds_64_bits(costed.kernel, "the requests of one warp");
  }
  auto layout = machine.fetch ? fetched_layout(costed) : std::nullopt;
  auto launched = add_retries(costed.kernel, *alone, launched_.load, machine);
  if (!launched) return launched.errors();
  latest = std::make_shared<const WarpNeeds>(
      WarpNeeds{std::move(warp), std::move(*alone), std::move(*launched), std::move(layout)});
  return latest;
}

Result<PipelineRun> CodeRuns::run(Warp warp, const AssumptionSet& assumed) {
  const ir::Kernel& kernel = launched_.kernel;
  const Load& load = launched_.load;
  const Machine& machine = launched_.machine;
  const ir::SyncPoints& sync = launched_.sync;
  auto needs = needs_of(warp);
  if (!needs) return needs.errors();
  const auto fetch = fetch_costs(kernel, (*needs)->layout, warp->costs, machine, load, launched_.order(), assumed);
  if (!fetch) return fetch.errors();
  const auto complete = [&](const std::optional<FetchCost>& cost, int64_t multiprocessors) -> Result<Demand> {
    auto demand = add_fetch(launched_.kernel, (*needs)->launched, cost, launched_.machine);
    if (!demand) return demand;
    return add_persistence(launched_.kernel, std::move(*demand), *warp, launched_.footprint, launched_.load,
                           launched_.machine, multiprocessors);
  };
  auto round_robin = complete(fetch->round_robin, 1);
  if (!round_robin) return round_robin.errors();
  auto any = complete(fetch->any, analysed_multiprocessors(load, machine));
  if (!any) return any.errors();
  const auto leaves_refreshes_out = [](const std::optional<FetchCost>& cost) {
    return cost && cost->relied.has(Assumption::even_refresh);
  };
  const bool refreshes = warp->code.relied.has(Assumption::even_refresh) || leaves_refreshes_out(fetch->round_robin) ||
                         leaves_refreshes_out(fetch->any);
  PipelineModel model = pipeline_model(load, machine, {std::move(*round_robin), std::move(*any)}, *fetch,
                                       refreshes ? &*machine.refresh : nullptr);
  if (!kernel.is_machine_code()) add_assumptions(model.bound, machine.ptx_assumptions);
  add_assumptions(model.bound, assumptions_of(*warp, code_));
  if (sync.order == ir::SyncPoints::Order::in_any_order) add_assumptions(model.bound, {any_order(launched_)});
  if (assumed.has(Assumption::shares_code) && model.fetch && fetches_again(*model.fetch)) {
    add_assumptions(model.bound, {std::string(sentence(Assumption::shares_code))});
  }
  return PipelineRun{std::move(*needs), std::move(model)};
}

// The same with each way to join parts, where that is assumed.
std::vector<Result<CodeRuns::Warp>> CodeRuns::with_joined(std::vector<Result<Warp>> all) const {
  const size_t given = all.size();
  for (size_t i = 0; i < given; ++i) {
    for (const Joined joined : {Joined::of_multiprocessor, Joined::with_network, Joined::with_memory}) {
      if (!all[i] || (joined == Joined::with_memory && (*all[i])->scenario.cached.data)) continue;
      Scenario scenario = (*all[i])->scenario;
      scenario.joined = joined;
      const auto known = latest_.find(key_of(scenario));
      auto warp = join_parts(**all[i], joined, launched_.footprint, launched_.machine,
                             known != latest_.end() ? known->second->warp : nullptr);
      all.push_back(std::move(warp));
    }
  }
  return all;
}

Result<PipelineRun> CodeRuns::smallest_bound(const AssumptionSet& assumed) {
  std::optional<PipelineRun> best;
  support::Diagnostics errors;
  std::vector<Result<Warp>> warps = price_scenarios(assumed);
  if (assumed.has(Assumption::fair_share)) warps = with_joined(std::move(warps));
  for (Result<Warp>& warp : warps) {
    auto found = warp ? run(std::move(*warp), assumed) : Result<PipelineRun>(warp.errors());
    if (!found) {
      errors = found.errors();
    } else if (!best || is_smaller(found->model.bound, best->model.bound)) {
      best = std::move(*found);
    }
  }
  if (!best) return errors;
  return std::move(*best);
}

Result<PipelineRun> smaller_of(Result<PipelineRun> a, Result<PipelineRun> b) {
  if (!a || !b) return a ? std::move(a) : std::move(b);
  return is_smaller(b->model.bound, a->model.bound) ? std::move(b) : std::move(a);
}

}  // namespace

struct PipelineRuns::State {
  State(const ir::Kernel& kernel, const ir::Flow& flow, const Load& load, const Machine& machine)
      : launched{kernel,
                 load,
                 machine,
                 ir::find_sync_points(kernel, flow),
                 footprint(kernel, flow, load, machine),
                 table_lines(kernel, machine).has_value()},
        given(flow),
        may_share_fairly(!has_waits(flow) && timing::may_share_fairly(kernel, load, machine)),
        reading(launched, flow, false),
        caching(launched, flow, true) {}

  // Once each, where `recent` is assumed: nothing else asks for it.
  void count_fetches(const AssumptionSet& assumed) {
    const auto [counted, fresh] = launched.fetches.try_emplace(launched.fetch_key(assumed));
    if (!fresh) return;
    const auto [is_aligned, is_spread] = counted->first;
    const Machine& machine = launched.machine;
    const auto costs = costs_of(launched.kernel, machine);
    const auto code = costs ? machine_instructions(launched.kernel, *costs).value() : std::nullopt;
    if (!code) return;
    counted->second = fetches_of_lines(launched.kernel, given, launched.footprint, launched.load, machine, *code,
                                       is_aligned, is_spread);
  }

  Result<PipelineRun> smallest_bound(const AssumptionSet& assumed) {
    if (assumed.has(Assumption::recent)) count_fetches(assumed);
    auto least = reading.smallest_bound(assumed);
    if (!least || !assumed.has(Assumption::keeps_constants) || !caching.differs()) return least;
    return smaller_of(std::move(least), caching.smallest_bound(assumed));
  }

  LaunchedKernel launched;
  const ir::Flow& given;
  bool may_share_fairly;
  CodeRuns reading, caching;
};

PipelineRuns::PipelineRuns(const ir::Kernel& kernel, const ir::Flow& flow, const Load& load, const Machine& machine)
    : state_(std::make_unique<State>(kernel, flow, load, machine)) {}
PipelineRuns::~PipelineRuns() = default;

Result<PipelineRun> PipelineRuns::smallest_bound(const AssumptionSet& all_assumed) {
  const bool calls_outside = state_->launched.kernel.calls_outside();
  AssumptionSet assumed = calls_outside ? all_assumed.over_calls() : all_assumed;
  const LaunchedKernel& launched = state_->launched;
  // Both lengthen the launch by a share of its time, and each theorem takes it that nothing else does.
  if (launched.load.interference) assumed = assumed.without(Assumption::even_refresh);
  if (!state_->may_share_fairly) assumed = assumed.without(Assumption::fair_share);
  const bool pages = assumed.has(Assumption::keeps_pages) && keeps_pages(launched.footprint, launched.machine);
  const bool refreshes = assumed.has(Assumption::even_refresh) && launched.machine.refresh;
  const AssumptionSet by_time = assumed.without(Assumption::keeps_pages);
  const AssumptionSet others = by_time.without(Assumption::even_refresh);
  auto least = state_->smallest_bound(others);
  // Not of PTX, as serves_lines_once.
  if (!launched.kernel.is_machine_code()) return least;
  // What comes once may take longer than what a few accesses wait for: either counts where that is less.
  if (pages) least = smaller_of(std::move(least), state_->smallest_bound(assumed.without(Assumption::even_refresh)));
  if (refreshes) least = smaller_of(std::move(least), state_->smallest_bound(by_time));
  if (pages && refreshes) least = smaller_of(std::move(least), state_->smallest_bound(assumed));
  return least;
}

}  // namespace warpspan::timing
