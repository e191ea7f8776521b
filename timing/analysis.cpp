#include "timing/analysis.hpp"

#include <algorithm>
#include <chrono>

#include "ir/dependencies.hpp"
#include "ir/execution.hpp"
#include "solver/list_bound.hpp"
#include "solver/pipeline_bound.hpp"
#include "solver/raravi.hpp"
#include "solver/solve.hpp"
#include "timing/solver_string.hpp"
#include "timing/weigh.hpp"

namespace warpspan::timing {

namespace {

using support::Diagnostic;
using support::Integer;
using support::Result;

Diagnostic overflow(const ir::Kernel& kernel, std::string what) {
  Diagnostic error;
  error.location = kernel.location;
  error.message = "kernel '" + kernel.name + "': " + std::move(what) + " exceed 64 bits";
  error.help = "give tighter loop bounds or a smaller launch";
  return error;
}

// What a warp executes at most: of each unit class, of all together, and of each resource's server-cycles.
struct Totals {
  std::array<int64_t, ir::unit_classes> symbols{};  // of the transformed string's classes
  int64_t length = 0;                               // of the transformed string
  std::vector<int64_t> demand;                      // by Machine::resources
};

Result<Totals> totals_of(const ir::Kernel& kernel, const ir::Flow& flow, const Machine& machine,
                         const Weights& weights) {
  constexpr size_t classes = ir::unit_classes;
  const size_t measures = classes + 1 + machine.resources.size();
  const auto measure = [&](const ir::Instruction& instruction) {
    std::vector<Integer> values(measures);
    const auto unit = static_cast<size_t>(ir::unit_class(kernel.operation(instruction).kind));
    values[unit] = values[classes] = machine.unit_width[unit].denominator;
    for (const Hold& hold : weights[instruction.operation]->holds) {
      values[classes + 1 + hold.resource] += cycles_held(hold, instruction.transactions);
    }
    return values;
  };
  const auto sums = ir::largest_totals(kernel, flow, measures, measure);
  if (!sums) return overflow(kernel, "its regions");
  Totals totals;
  for (size_t i = 0; i < measures; ++i) {
    const auto value = (*sums)[i].value();
    if (!value) return overflow(kernel, "the instructions of one warp");
    if (i < classes) {
      totals.symbols[i] = *value;
    } else if (i == classes) {
      totals.length = *value;
    } else {
      totals.demand.push_back(*value);
    }
  }
  return totals;
}

// --- The pipeline model.

// A scheduler's issue slot is shared by the warps bound to it, every other warp of a block with two schedulers. Where
// warps run one after another, the followed ones may be bound to different schedulers, so that all warps count.
int64_t sharers(const ResourceFigures& resource, const Load& load, const Machine& machine) {
  switch (resource.sharing) {
    case ResourceFigures::Sharing::scheduler:
      return load.blocks > 1 ? load.warps : (load.warps + machine.schedulers - 1) / machine.schedulers;
    case ResourceFigures::Sharing::multiprocessor: return load.warps;
    case ResourceFigures::Sharing::device: return load.device_warps;
  }
  return load.device_warps;
}

std::vector<std::string> launch_assumptions(const Load& load) {
  if (!load.grid_given) return {"One block, alone on the device (give --grid for more)."};
  if (load.blocks == 1) return {"Blocks are dealt round-robin: at most one runs on a multiprocessor."};
  return {"Blocks are dealt round-robin: at most " + std::to_string(load.blocks) +
          " run on a multiprocessor, in any order, together or one after another."};
}

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

constexpr const char* no_fetch_figures =
    "Instructions are fetched without waiting: the machine file has no figures of fetch.";

// The totals with what fetching the code adds to them, and the path of a warp with its waiting for code.
Result<std::optional<FetchCost>> add_fetch(const ir::Kernel& kernel, const ir::Flow& flow, const Machine& machine,
                                           const Weights& weights, const Load& load, const AssumptionSet& granted,
                                           Totals& totals) {
  if (!machine.fetch) return std::optional<FetchCost>();
  const FetchLoad fetch_load = {load.device_warps, load.warps, load.warps_per_block, load.blocks, 1};
  auto cost = fetch_cost(kernel, flow, weights, machine, fetch_load, granted);
  if (!cost) return overflow(kernel, "the cycles of fetching its code");
  for (size_t r = 0; r < totals.demand.size(); ++r) {
    const auto demand = (Integer(totals.demand[r]) + cost->demand[r]).value();
    if (!demand) return overflow(kernel, "the cycles of fetching its code");
    totals.demand[r] = *demand;
  }
  return cost;
}

solver::Bound pipeline(const Load& load, const Machine& machine, const Totals& totals, int64_t critical_path,
                       const std::optional<FetchCost>& fetch, std::vector<solver::Resource>& resources) {
  solver::PipelineProblem problem;
  problem.critical_path = critical_path;
  problem.chain = load.blocks;
  for (size_t r = 0; r < machine.resources.size(); ++r) {
    const ResourceFigures& figures = machine.resources[r];
    problem.resources.push_back({figures.name, figures.servers, sharers(figures, load, machine), totals.demand[r]});
  }
  resources = problem.resources;
  solver::Bound bound = solver::pipeline_bound(problem);
  append(bound.assumptions, launch_assumptions(load));
  if (machine.schedulers > 1 && load.blocks == 1) {
    bound.assumptions.emplace_back("The warps of a block are dealt to the schedulers in turn.");
  }
  append(bound.assumptions, machine.assumptions);
  append(bound.assumptions, fetch ? fetch->assumptions : std::vector<std::string>{no_fetch_figures});
  if (!fetch || !bound.makespan) return bound;
  const Integer makespan = Integer(*bound.makespan) + fetch->once;
  return solver::with_value(std::move(bound), makespan);
}

// --- The string model.

constexpr const char* one_string = "Every warp executes the instruction string shown.";
constexpr const char* no_latency =
    "The string model: every instruction takes one cycle of its unit; latencies are left out.";

// A result for the string shown holds for the kernel only if no warp can execute another one: a shorter string can take
// longer beside others.
void hold_for_one_string(solver::Bound& bound, bool only_one) {
  bound.assumptions.insert(bound.assumptions.begin(), one_string);
  if (only_one || !bound.safe) return;
  bound.safe = false;
  bound.remark = "the kernel has other ways than the longest, and warps that take them may end later" +
                 std::string(bound.remark.empty() ? "" : "; ") + bound.remark;
}

// The closed form counts groups of half a warp, for which the units are twice as wide.
solver::Bound raravi(const Analysis& analysis, const Load& load, const Machine& machine) {
  constexpr auto l = static_cast<size_t>(ir::UnitClass::load_store);
  constexpr auto c = static_cast<size_t>(ir::UnitClass::core);
  solver::StringProblem problem;
  problem.string = to_solver_string(analysis.string);
  problem.workers = 2 * load.warps;
  problem.servers.assign(ir::unit_classes, 1);
  for (const size_t k : {l, c}) {
    const support::Rational& width = machine.unit_width[k];
    problem.servers[k] = std::max<int64_t>(1, 2 * width.numerator / width.denominator);
  }
  return solver::raravi_bound(problem, {static_cast<int>(l), static_cast<int>(c)});
}

// The methods that need more than the maxima of all ways. Where blocks run one after another the worst case of one
// string is another problem than theirs.
std::vector<solver::Method> methods_for(const Load& load) {
  if (load.blocks > 1) return {solver::Method::published};
  return {solver::Method::witness, solver::Method::exact, solver::Method::certificate, solver::Method::published};
}

// Also the longest schedule found.
Result<std::vector<solver::Bound>> string_bounds(Analysis& analysis, const Machine& machine, const Totals& totals,
                                                 bool only_one, const Limits& limits) {
  const Load& load = analysis.load;
  solver::PathMaxima maxima;
  maxima.length = totals.length;
  maxima.symbols.assign(totals.symbols.begin(), totals.symbols.end());
  maxima.servers.assign(analysis.servers.begin(), analysis.servers.end());
  maxima.workers = load.warps;
  maxima.chain = load.blocks;
  std::vector<solver::Bound> bounds = {solver::list_bound(maxima)};
  if (!analysis.transformed.empty()) {
    solver::SolveOptions options;
    options.methods = methods_for(load);
    options.seconds = limits.seconds;
    options.memory = limits.memory;
    options.cancel = limits.cancel;
    options.thorough = false;
    auto solution = solver::solve({to_solver_string(analysis.transformed), load.warps, maxima.servers}, options);
    if (!solution) return solution.errors();
    analysis.witness = solution->lower;
    for (solver::Bound& bound : solution->results) bounds.push_back(std::move(bound));
    bounds.push_back(raravi(analysis, load, machine));
    for (size_t i = 1; i < bounds.size(); ++i) hold_for_one_string(bounds[i], only_one);
  }
  for (solver::Bound& bound : bounds) {
    bound.assumptions.insert(bound.assumptions.begin(), no_latency);
    append(bound.assumptions, launch_assumptions(load));
  }
  return bounds;
}

template <typename Compute>
solver::Bound timed(const Compute& compute) {
  const auto begin = std::chrono::steady_clock::now();
  solver::Bound bound = compute();
  bound.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return bound;
}

std::vector<std::string> assumed_figures(const ir::Kernel& kernel, const Weights& weights) {
  std::vector<std::string> words;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i]->standing == Standing::assumed) words.push_back(kernel.operations[i].text);
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

}  // namespace

Result<Load> load_of(const ir::Launch& launch, const Machine& machine) {
  const ir::Extent block = launch.block.value_or(ir::Extent{});
  const auto threads = (Integer(block.x) * Integer(block.y) * Integer(block.z)).value();
  if (!threads || *threads > machine.max_threads_per_block) {
    return support::usage_error("a block on machine '" + machine.name + "' has at most " +
                                    std::to_string(machine.max_threads_per_block) + " threads",
                                "give a smaller --block");
  }
  Load load;
  load.warps_per_block = (*threads + machine.warp_size - 1) / machine.warp_size;
  load.grid_given = launch.grid.has_value();
  const ir::Extent grid = launch.grid.value_or(ir::Extent{});
  const Integer blocks = Integer(grid.x) * Integer(grid.y) * Integer(grid.z);
  const auto of_one = ceil_divide(blocks, machine.multiprocessors).value();
  const auto of_all = (blocks * Integer(load.warps_per_block)).value();
  if (!of_one || !of_all) return support::usage_error("the grid has more than 2^63 warps", "give a smaller --grid");
  load.blocks = *of_one;
  load.warps = load.blocks * load.warps_per_block;
  load.device_warps = *of_all;
  return load;
}

Result<Analysis> analyse(const ir::Kernel& kernel, const ir::Flow& flow, const ir::Launch& launch,
                         const Machine& machine, const AssumptionSet& granted, const Limits& limits) {
  const auto load = load_of(launch, machine);
  if (!load) return load.errors();
  const auto weights = weigh(kernel, machine);
  if (!weights) return weights.errors();
  const auto alone = one_warp_time(kernel, flow, machine);
  if (!alone) return alone.errors();
  const auto best = alone->best.value();
  const auto average = alone->average.value();
  const auto worst = alone->worst.value();
  if (!best || !average || !worst) return overflow(kernel, "the cycles of one warp");
  auto totals = totals_of(kernel, flow, machine, *weights);
  if (!totals) return totals.errors();
  auto fetch = add_fetch(kernel, flow, machine, *weights, *load, granted, *totals);
  if (!fetch) return fetch.errors();

  Analysis analysis;
  analysis.load = *load;
  analysis.best = *best;
  analysis.average = *average;
  analysis.worst = *worst;
  analysis.fetch = std::move(*fetch);
  std::array<int64_t, ir::unit_classes> symbols_each{};
  for (size_t k = 0; k < symbols_each.size(); ++k) symbols_each[k] = machine.unit_width[k].denominator;
  auto string = ir::worst_string(kernel, flow, symbols_each);
  if (!string) return overflow(kernel, "its regions");
  analysis.string = std::move(string->string);
  analysis.only_one_string = string->only_one;
  const auto transformed = ir::transform(analysis.string, machine.unit_width);
  if (!transformed) return transformed.errors();
  analysis.transformed = transformed->string;
  analysis.servers = transformed->servers;
  for (size_t k = 0; k < ir::unit_classes; ++k) {
    const auto count = string->counts[k].value();
    if (!count) return overflow(kernel, "the instructions of one warp");
    analysis.instructions[k] = *count;
  }
  analysis.raw_edges = ir::count_raw_edges(kernel);
  analysis.clock_readings = clock_readings(kernel, machine);
  analysis.assumed_figures = assumed_figures(kernel, *weights);

  const auto path = (Integer(*worst) + Integer(analysis.fetch ? analysis.fetch->each : 0)).value();
  if (!path) return overflow(kernel, "the cycles of one warp");
  analysis.bounds.push_back({"pipeline", timed([&] {
                               return pipeline(*load, machine, *totals, *path, analysis.fetch, analysis.resources);
                             })});
  // Loop bounds are upper ones: a warp may leave a loop early and so execute another string.
  const bool only_one = analysis.only_one_string && flow.loops.empty();
  auto bounds = string_bounds(analysis, machine, *totals, only_one, limits);
  if (!bounds) return bounds.errors();
  for (solver::Bound& bound : *bounds) {
    analysis.bounds.push_back({"string", std::move(bound)});
  }
  return analysis;
}

}  // namespace warpspan::timing
