#include "timing/analysis.hpp"

#include <algorithm>
#include <chrono>

#include "ir/dependencies.hpp"
#include "ir/execution.hpp"
#include "solver/bounds/raravi.hpp"
#include "solver/solve.hpp"
#include "timing/constant_reads.hpp"
#include "timing/load_bounds.hpp"
#include "timing/register_pressure.hpp"
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

constexpr const char* issues_when_it_can =
    "Each scheduler issues in every cycle in which one of its resident warps is ready: round robin, oldest first, "
    "youngest first and greedy orders do, two-level schedulers that choose among a few active warps do not.";
constexpr const char* keeps_for_a_block =
    "Machine code reads parameters, constants and launch dimensions only where the PTX uses them or what it computes "
    "from them, and what a basic block has read stays in the nearest constant cache until the block ends.";

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// Whether a warp may wait for others of its block.
bool meets(const ir::Kernel& kernel) {
  using enum ir::OperationKind;
  return std::any_of(kernel.operations.begin(), kernel.operations.end(), [](const ir::Operation& operation) {
    return operation.kind == barrier || operation.kind == cluster_barrier || operation.kind == mbarrier;
  });
}

constexpr const char* no_fetch_figures =
    "Instructions are fetched without waiting: the machine file has no figures of fetch.";

// False if a sum exceeds 64 bits.
bool add(std::vector<int64_t>& to, const std::vector<int64_t>& from) {
  for (size_t i = 0; i < to.size(); ++i) {
    const auto sum = (Integer(to[i]) + Integer(from[i])).value();
    if (!sum) return false;
    to[i] = *sum;
  }
  return true;
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
  bound =
      not_safe(std::move(bound), "the kernel has other ways than the longest, and warps that take them may end later");
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
  std::vector<solver::Bound> bounds = {string_list_bound(load, machine, maxima)};
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
  for (size_t i = 0; i < bounds.size(); ++i) {
    bounds[i].assumptions.insert(bounds[i].assumptions.begin(), no_latency);
    if (i > 0) append(bounds[i].assumptions, round_robin(load));
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
    if (weights[i]->evidence == Evidence::assumed) words.push_back(kernel.operations[i].text);
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

// Whom the bound follows where blocks are dealt round-robin: the blocks of one multiprocessor.
FetchLoad followed_in_turn(const Load& load) {
  return {load.device_warps, load.warps, load.warps_per_block, load.blocks, 1};
}

// Whom the bound for any greedy dispatcher follows: the blocks of one place of a multiprocessor, and the last block, on
// another one. Beside them are all that the first has had, and those that the second has room for.
FetchLoad followed_anywhere(const Load& load, const Machine& machine) {
  const int64_t earlier = (load.device_blocks - 1) / machine.multiprocessors;
  const int64_t beside =
      std::min(load.device_blocks, earlier + std::min(load.residency.blocks.most, load.device_blocks));
  return {load.device_warps, beside * load.warps_per_block, load.warps_per_block,
          earlier / load.residency.blocks.least + 1, earlier > 0 ? 2 : 1};
}

// What a warp needs in machine code, which reads parameters and constants where it needs them, and is fetched.
struct MachineCode {
  int64_t critical_path = 0;  // all code at hand
  LoadDemand demand;
  std::optional<FetchCost> in_turn, any;  // nothing if the machine has no figures of fetch
  std::string assumption;
};

Result<MachineCode> machine_code_of(const ir::Kernel& kernel, const ir::Flow& flow, const Machine& machine,
                                    const Load& load, const AssumptionSet& granted) {
  const bool keeps = granted.has(Assumption::keeps_constants);
  const ConstantReads reads = with_constant_reads(kernel, flow, keeps);
  const auto weights = weigh(reads.kernel, machine);
  if (!weights) return weights.errors();
  const auto worst = one_warp_time(reads.kernel, flow, machine, Case::worst);
  if (!worst) return worst.errors();
  const auto path = worst->value();
  if (!path) return overflow(kernel, "the cycles of one warp");
  const auto totals = totals_of(reads.kernel, flow, machine, *weights);
  if (!totals) return totals.errors();
  MachineCode code;
  code.critical_path = *path;
  code.demand.meets = meets(kernel);
  code.assumption =
      keeps && reads.keeping_matters ? std::string(sentence(Assumption::keeps_constants)) : keeps_for_a_block;
  const auto fetched = [&](const FetchLoad& followed, std::optional<FetchCost>& cost, WarpDemand& demand) {
    demand.critical_path = *path;
    demand.resources = totals->demand;
    if (!machine.fetch) return true;
    cost = fetch_cost(reads.kernel, flow, *weights, machine, followed, granted);
    if (!cost || !add(demand.resources, cost->demand)) return false;
    const auto fetching = (Integer(*path) + cost->each).value();
    demand.critical_path = fetching.value_or(0);
    demand.waiting = cost->each;
    demand.once = cost->once;
    return fetching.has_value();
  };
  if (!fetched(followed_in_turn(load), code.in_turn, code.demand.in_turn) ||
      !fetched(followed_anywhere(load, machine), code.any, code.demand.any)) {
    return overflow(kernel, "the cycles of fetching its code");
  }
  return code;
}

solver::Bound pipeline(const Machine& machine, const MachineCode& code, Analysis& analysis) {
  LoadBound result = pipeline_bound(analysis.load, machine, code.demand);
  analysis.resources = std::move(result.resources);
  analysis.any_dispatcher = result.any_dispatcher;
  analysis.fetch = result.in_turn ? code.in_turn : code.any;
  append(result.bound.assumptions, machine.assumptions);
  append(result.bound.assumptions,
         analysis.fetch ? analysis.fetch->assumptions : std::vector<std::string>{no_fetch_figures});
  return std::move(result.bound);
}

std::string register_assumption(const ir::Kernel& kernel, const Machine& machine, bool granted) {
  if (granted) return std::string(sentence(Assumption::no_spills));
  return "No register is spilled: a thread needs about " + std::to_string(register_need(kernel).registers) +
         " registers and may use " + std::to_string(register_limit(kernel.launch_bounds, machine).registers) +
         " (compare 'ptxas -v').";
}

}  // namespace

Result<Analysis> analyse(const ir::Kernel& kernel, const ir::Flow& flow, const ir::Launch& launch,
                         const Machine& machine, const AssumptionSet& granted, const Limits& limits) {
  const auto load = load_of(kernel, launch, machine);
  if (!load) return load.errors();
  const auto weights = weigh(kernel, machine);
  if (!weights) return weights.errors();
  const auto spills = spill_error(kernel, machine);
  if (spills && !granted.has(Assumption::no_spills)) return *spills;
  const auto best_case = one_warp_time(kernel, flow, machine, Case::best);
  if (!best_case) return best_case.errors();
  const auto average_case = one_warp_time(kernel, flow, machine, Case::average);
  if (!average_case) return average_case.errors();
  const auto machine_code = machine_code_of(kernel, flow, machine, *load, granted);
  if (!machine_code) return machine_code.errors();
  const auto best = best_case->value();
  const auto average = average_case->value();
  if (!best || !average) return overflow(kernel, "the cycles of one warp");
  const auto totals = totals_of(kernel, flow, machine, *weights);
  if (!totals) return totals.errors();

  Analysis analysis;
  analysis.load = *load;
  analysis.best = *best;
  analysis.average = *average;
  analysis.worst = machine_code->critical_path;
  std::array<int64_t, ir::unit_classes> symbols_each{};
  for (size_t k = 0; k < symbols_each.size(); ++k) symbols_each[k] = machine.unit_width[k].denominator;
  auto string = ir::worst_string(kernel, flow, symbols_each);
  if (!string) return overflow(kernel, "its regions");
  if (string->string) analysis.string = std::move(*string->string);
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

  analysis.bounds.push_back({"pipeline", timed([&] { return pipeline(machine, *machine_code, analysis); })});
  append(analysis.bounds.back().bound.assumptions,
         {issues_when_it_can, machine_code->assumption, register_assumption(kernel, machine, spills.has_value())});
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
