// What is kept may cost less or more than reading it anew: where a warp reads ten parameters at once it waits for one
// line, and where each of them is counted once for its multiprocessor, for ten. Each way of counting is safe, so the
// least of their bounds is. Without what is kept, granting more makes every latency, hold and number of transactions at
// most as large as before, and so the bound.
#include "timing/bounds/pipeline_run.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "ir/meetings.hpp"
#include "support/checked.hpp"
#include "timing/assumptions/errors.hpp"
#include "timing/costs/outside_calls.hpp"
#include "timing/costs/sleep.hpp"

namespace warpspan::timing {

namespace {

using support::Integer;
using support::Result;

constexpr const char* sleeps_at_most =
    "A sleep lasts at most twice the time that is asked for, which is 1 ms at most (PTX ISA 9.7.19.2).";
constexpr const char* counted_from_global =
    "Generic addresses that are counted from what a parameter points to, or from a variable in global memory, are none "
    "of shared memory: the host has no address of it, and what is added stays in the object (CUDA C++ Programming "
    "Guide, variable memory space specifiers).";
constexpr const char* asks_apart =
    "Where addresses do not tell it, the warps of many blocks do not ask for the same line at the same time (--assume "
    "spread).";
constexpr const char* fetched_for_all =
    "A line that several warps ask for at the same time is fetched from memory for all of them (--assume spread).";
constexpr const char* cycles_of_keeping = "what its caches keep";
constexpr size_t most_objects = 8;  // that are tried, one after another

bool fetches_again(const FetchCost& fetch) {
  return std::any_of(fetch.levels.begin(), fetch.levels.end(), [](const FetchLevel& level) { return level.each > 0; });
}

// The passes where constants that were read are kept, or where they are not.
class Passes {
 public:
  Passes(const ir::Kernel& kernel, const ir::Flow& flow, const Load& load, const Machine& machine,
         const ir::Meetings& meetings, const Footprint& footprint, bool keeps_constants)
      : kernel_(kernel),
        load_(load),
        machine_(machine),
        keeps_constants_(keeps_constants),
        meetings_(meetings),
        code_(with_constant_reads(kernel, flow, keeps_constants, integers_in_memory(machine))),
        footprint_(footprint) {}

  // Requires says_more().
  Result<PipelineRun> least(const AssumptionSet& granted);
  // Of those where constants are kept: whether there is something that others do not say.
  bool says_more() const { return saves_reads() || keeps_constants(kernel_, machine_); }

 private:
  using Warp = std::shared_ptr<const PricedWarp>;
  using Needs = std::shared_ptr<const WarpNeeds>;

  Result<Warp> priced(const AssumptionSet& granted, const Keeping& keeping) const;
  Result<Needs> needs_of(Warp warp);
  Result<PipelineRun> run(Warp warp, const AssumptionSet& granted);
  // Where keeping constants saves no reads, the passes that keep none have the same code.
  bool saves_reads() const { return !keeps_constants_ || code_.keeping_matters; }
  std::vector<Result<Warp>> ways(const AssumptionSet& granted) const;
  Result<Warp> with_reused_objects(const AssumptionSet& granted, const Keeping& keeping) const;

  OperationFigures missed(const PricedWarp& warp, size_t operation) const;
  Integer waits_for(const PricedWarp& warp, ir::ObjectId object) const;
  Integer waits_for_constants(const PricedWarp& warp, int64_t multiprocessors) const;
  Integer device_cycles(const std::vector<Integer>& ticks, const Costs& costs) const;
  std::optional<OwnWait> constants_once(const PricedWarp& warp, int64_t multiprocessors) const;
  std::optional<OwnWait> data_once(const PricedWarp& warp) const;
  bool add_once(const PricedWarp& warp, WarpDemand& demand, int64_t multiprocessors) const;
  std::vector<std::string> sentences(const PricedWarp& warp) const;
  std::string any_order() const;

  const ir::Kernel& kernel_;
  const Load& load_;
  const Machine& machine_;
  bool keeps_constants_;
  const ir::Meetings& meetings_;
  const ConstantReads code_;
  const Footprint& footprint_;
  // By what is kept, of no single objects: what was found last. What is granted next often changes nothing of it.
  std::map<std::pair<bool, bool>, Needs> latest_;
};

// The figures of an operation that no cache helps.
OperationFigures Passes::missed(const PricedWarp& warp, size_t operation) const {
  Service service = warp.code.services.operations[operation];
  service.kept_nearby = service.kept_by_device = service.as_operand = false;
  service.hit.reset();
  return served(warp.code.kernel.operations[operation], service, machine_, warp.costs.ticks)
      .value_or(OperationFigures{});
}

// Waiting for a line that is on its way ends when the line is there: a cycle of it belongs to the one line, whoever
// asked for it.
Integer Passes::waits_for(const PricedWarp& warp, ir::ObjectId object) const {
  std::vector<bool> asks(kernel_.instructions.size());
  for (const ir::Access& access : warp.code.flow.accesses) {
    if (access.object == object) asks[access.instruction] = true;
  }
  int64_t longest = 0;
  for (ir::InstructionId id = 0; id < code_.origins.size(); ++id) {
    const uint32_t operation = warp.code.kernel.instructions[id].operation;
    if (!asks[code_.origins[id]] || !warp.code.services.operations[operation].hit) continue;
    const int64_t hit = warp.costs.operations[operation].latency.worst;
    longest = std::max(longest, missed(warp, operation).latency.worst - hit);
  }
  const auto lines = lines_followed(kernel_, warp.code.flow, footprint_, object);
  return Integer(lines.value_or(0)) * longest;
}

// A line comes from memory to the L2 cache once, whoever waits for it, and from there to each multiprocessor.
Integer Passes::waits_for_constants(const PricedWarp& warp, int64_t multiprocessors) const {
  int64_t miss = 0;
  for (size_t i = 0; i < warp.code.kernel.operations.size(); ++i) {
    if (!warp.code.services.operations[i].kept_nearby) continue;
    const OperationFigures figures = missed(warp, i);
    miss = std::max(miss, figures.latency.worst + figures.instructions * machine_.issue_hold);  // and keeps the slot
  }
  const DataCache* constant = machine_.data_cache(constant_cache);
  const DataCache* second = machine_.data_cache(l2_cache);
  const int64_t hit = second == nullptr ? miss : std::min(miss, second->hit + constant->hit);
  return (Integer(miss) + Integer(hit) * (multiprocessors - 1)) * warp.code.once.constant_lines;
}

// Cycles in which others' lines hold what serves them.
Integer Passes::device_cycles(const std::vector<Integer>& ticks, const Costs& costs) const {
  Integer sum;
  for (size_t r = 0; r < ticks.size(); ++r) {
    sum += ceil_divide(ticks[r], machine_.resources[r].servers * costs.ticks[r]);
  }
  return sum;
}

// Each multiprocessor reads the lines, the first one from memory; those that a bound follows wait for their own.
std::optional<OwnWait> Passes::constants_once(const PricedWarp& warp, int64_t multiprocessors) const {
  std::vector<Integer> ticks;
  for (size_t r = 0; r < machine_.resources.size(); ++r) {
    const ResourceFigures& resource = machine_.resources[r];
    int64_t readers = multiprocessors;
    if (resource.sharing == ResourceFigures::Sharing::device) {
      const bool once = resource.name == memory_resource;
      readers = once ? 1 : std::min(machine_.multiprocessors, load_.device_blocks);
    }
    ticks.push_back(Integer(warp.code.once.constant_line[r]) * warp.code.once.constant_lines * readers);
  }
  const auto cycles = (waits_for_constants(warp, multiprocessors) + device_cycles(ticks, warp.costs)).value();
  if (!cycles) return std::nullopt;
  return OwnWait{solver::Part::Kind::constants, 0, *cycles};
}

std::optional<OwnWait> Passes::data_once(const PricedWarp& warp) const {
  const std::vector<Integer> ticks(warp.code.once.data.begin(), warp.code.once.data.end());
  const auto cycles = device_cycles(ticks, warp.costs).value();
  if (!cycles) return std::nullopt;
  return OwnWait{solver::Part::Kind::data, warp.once, *cycles};
}

bool Passes::add_once(const PricedWarp& warp, WarpDemand& demand, int64_t multiprocessors) const {
  if (warp.keeping.constants) {
    const auto wait = constants_once(warp, multiprocessors);
    if (!wait) return false;
    demand.waits.push_back(*wait);
  }
  if (warp.keeping.data) {
    const auto wait = data_once(warp);
    const auto path = (Integer(demand.critical_path) + warp.once).value();
    if (!wait || !path) return false;
    demand.critical_path = *path;
    demand.waits.push_back(*wait);
  }
  return true;
}

Result<Passes::Warp> Passes::priced(const AssumptionSet& granted, const Keeping& keeping) const {
  const AssumptionSet of_it = granted.about(Subject::accesses);
  const auto known = latest_.find({keeping.constants, keeping.data});
  Warp last = known != latest_.end() && keeping.by_warps == known->second->warp->keeping.by_warps ? known->second->warp
                                                                                                  : nullptr;
  const Order order = kernel_.is_machine_code() || granted.has(Assumption::ptx_order) ? Order::given : Order::any;
  if (last != nullptr && last->order != order) last = nullptr;
  if (last != nullptr && last->granted == of_it) return last;
  PricedWarp warp{{}, of_it, order, keeping, serve(code_, footprint_, machine_, of_it, keeping), {}, 0, 0};
  if (last != nullptr && served_alike(warp.code, last->code)) return last;
  warp.origins = code_.origins;
  auto costs = costs_of(warp.code.kernel, machine_, warp.code.services);
  if (!costs) return costs.errors();
  warp.costs = std::move(*costs);
  const auto worst = one_warp_time(warp.code.kernel, warp.code.flow, warp.costs, machine_, Case::worst, order);
  if (!worst) return worst.errors();
  warp.worst = *worst;
  Integer once;
  for (const ir::ObjectId object : keeping.by_warps) once += waits_for(warp, object);
  if (!once.value()) return exceeds_64_bits(kernel_, cycles_of_keeping);
  warp.once = *once.value();
  return std::make_shared<const PricedWarp>(std::move(warp));
}

Result<Passes::Needs> Passes::needs_of(Warp warp) {
  Needs& latest = latest_[{warp->keeping.constants, warp->keeping.data}];
  if (latest != nullptr && latest->warp == warp) return latest;
  const ir::Kernel& kernel = warp->code.kernel;
  const ir::Flow& flow = warp->code.flow;
  auto resources = resource_demand(kernel, flow, warp->costs, machine_);
  if (!resources) return resources.errors();
  if (meetings_.order == ir::Meetings::Order::in_order) {
    resources->piece = piece_demand(kernel, flow, warp->costs, machine_);
  }
  auto layout = machine_.fetch ? fetched_layout(kernel, flow, warp->costs, machine_) : std::nullopt;
  auto contended = with_contention(kernel, warp->worst, *resources, load_, machine_);
  if (!contended) return contended.errors();
  latest = std::make_shared<const WarpNeeds>(
      WarpNeeds{std::move(warp), std::move(*resources), std::move(*contended), std::move(layout)});
  return latest;
}

std::vector<std::string> Passes::sentences(const PricedWarp& warp) const {
  std::vector<std::string> list = {code_.assumption};
  const auto add = [&list](Assumption assumption, bool helps) {
    std::string text(sentence(assumption));
    if (helps && std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
  };
  add(Assumption::ptx_order, !kernel_.is_machine_code() && warp.order == Order::given);
  add(Assumption::keeps_constants, warp.keeping.constants);
  for (const Assumption one : assumptions_about(Subject::accesses)) add(one, warp.code.relied.has(one));
  add(Assumption::keeps, warp.keeping.data);
  const auto is_plain = [](const OperationFigures& figures) { return figures.plain_textures; };
  const auto& figures = warp.costs.operations;
  add(Assumption::plain_textures, std::any_of(figures.begin(), figures.end(), is_plain));
  if (warp.code.counts_from_global) list.emplace_back(counted_from_global);
  if (warp.code.shares_lines) list.emplace_back(fetched_for_all);
  if (warp.code.spreads_unseen) list.emplace_back(asks_apart);
  if (has_sleeps(warp.code.kernel)) list.emplace_back(sleeps_at_most);
  return list;
}

std::string Passes::any_order() const {
  const ir::Instruction& cause = kernel_.instructions[meetings_.cause];
  return "The warps of a block may wait for one another in any order (" + kernel_.location.file + ":" +
         std::to_string(cause.line) + ", " + kernel_.operation(cause).text + "): the paths of all " +
         std::to_string(load_.warps_per_block) + " are added.";
}

Result<PipelineRun> Passes::run(Warp warp, const AssumptionSet& granted) {
  const ir::Kernel& kernel = warp->code.kernel;
  auto needs = needs_of(warp);
  if (!needs) return needs.errors();
  const auto fetch = fetch_costs(kernel, (*needs)->layout, warp->costs, machine_, load_, meetings_, granted);
  if (!fetch) return fetch.errors();
  auto demand = with_fetching(kernel, warp->costs, (*needs)->contended, *fetch, meetings_, machine_);
  if (!demand) return demand.errors();
  if (!add_once(*warp, demand->in_turn, 1) ||
      !add_once(*warp, demand->any, followed_multiprocessors(load_, machine_))) {
    return exceeds_64_bits(kernel, cycles_of_keeping);
  }
  PipelineModel model = pipeline_model(load_, machine_, *demand, *fetch);
  if (!kernel_.is_machine_code()) add_assumptions(model.bound, machine_.ptx_assumptions);
  add_assumptions(model.bound, sentences(*warp));
  if (meetings_.order == ir::Meetings::Order::in_any_order) add_assumptions(model.bound, {any_order()});
  if (granted.has(Assumption::shares_code) && model.fetch && fetches_again(*model.fetch)) {
    add_assumptions(model.bound, {std::string(sentence(Assumption::shares_code))});
  }
  return PipelineRun{std::move(*needs), std::move(model)};
}

// Objects of which it is better to wait for each line once, and to count every load as one that a cache has.
Result<Passes::Warp> Passes::with_reused_objects(const AssumptionSet& granted, const Keeping& keeping) const {
  const size_t objects = std::min(footprint_.objects.size(), most_objects);
  auto least = priced(granted, keeping);
  for (ir::ObjectId object = 0; object < objects && least; ++object) {
    Keeping more = (*least)->keeping;
    more.by_warps.push_back(object);
    auto with = priced(granted, more);
    if (!with || (*with)->worst + (*with)->once >= (*least)->worst + (*least)->once) continue;
    least = std::move(with);
  }
  return least;
}

// Of counting what is kept, each safe.
std::vector<Result<Passes::Warp>> Passes::ways(const AssumptionSet& granted) const {
  const bool constants = keeps_constants_ && keeps_constants(kernel_, machine_);
  const bool data = granted.has(Assumption::keeps) && keeps_data(footprint_, machine_);
  std::vector<Result<Warp>> all;
  if (saves_reads()) all.push_back(priced(granted, {}));
  if (constants) all.push_back(priced(granted, {true, false, {}}));
  if (constants && data) all.push_back(with_reused_objects(granted, {true, true, {}}));
  if (data && saves_reads()) all.push_back(with_reused_objects(granted, {false, true, {}}));
  return all;
}

bool smaller(const solver::Bound& a, const solver::Bound& b) {
  return a.makespan && (!b.makespan || *a.makespan < *b.makespan);
}

Result<PipelineRun> Passes::least(const AssumptionSet& granted) {
  std::optional<PipelineRun> best;
  support::Diagnostics errors;
  for (Result<Warp>& warp : ways(granted)) {
    auto found = warp ? run(std::move(*warp), granted) : Result<PipelineRun>(warp.errors());
    if (!found) {
      errors = found.errors();
    } else if (!best || smaller(found->model.bound, best->model.bound)) {
      best = std::move(*found);
    }
  }
  if (!best) return errors;
  return std::move(*best);
}

}  // namespace

struct PipelineRuns::State {
  State(const ir::Kernel& kernel, const ir::Flow& flow, const Load& load, const Machine& machine)
      : calls_outside(kernel.calls_outside()),
        meetings(ir::find_meetings(kernel, flow)),
        touched(footprint(kernel, flow, load, machine)),
        reading(kernel, flow, load, machine, meetings, touched, false),
        keeping(kernel, flow, load, machine, meetings, touched, true) {}

  bool calls_outside;
  ir::Meetings meetings;
  Footprint touched;
  Passes reading, keeping;  // constants whenever they are needed, or once
};

PipelineRuns::PipelineRuns(const ir::Kernel& kernel, const ir::Flow& flow, const Load& load, const Machine& machine)
    : state_(std::make_unique<State>(kernel, flow, load, machine)) {}
PipelineRuns::~PipelineRuns() = default;

Result<PipelineRun> PipelineRuns::least(const AssumptionSet& all_granted) {
  const AssumptionSet granted = state_->calls_outside ? all_granted.over_calls() : all_granted;
  auto least = state_->reading.least(granted);
  if (!least || !granted.has(Assumption::keeps_constants) || !state_->keeping.says_more()) return least;
  auto kept = state_->keeping.least(granted);
  if (!kept) return least;
  return smaller(kept->model.bound, least->model.bound) ? std::move(kept) : std::move(least);
}

}  // namespace warpspan::timing
