#include "timing/analysis.hpp"

#include <utility>

#include "ir/dependencies.hpp"
#include "ir/lane_groups.hpp"
#include "support/symbol_name.hpp"
#include "timing/bounds/pipeline_run.hpp"
#include "timing/costs/bulk_copies.hpp"
#include "timing/costs/cost.hpp"
#include "timing/costs/outside_calls.hpp"
#include "timing/launch/register_pressure.hpp"
#include "timing/warp/demand.hpp"
#include "timing/warp/waiting.hpp"

namespace warpspan::timing {

namespace {

using support::Diagnostic;
using support::Result;

Diagnostic no_instructions(const ir::Kernel& kernel) {
  Diagnostic error;
  error.location = kernel.location;
  error.message = "kernel " + support::quoted_symbol(kernel.name) + " has no instructions";
  error.help = "end it with 'ret'";
  return error;
}

Diagnostic no_strings(const ir::Kernel& kernel) {
  Diagnostic error;
  error.location = kernel.location;
  error.message = "the string model has no bound for clusters of blocks, as which kernel " +
                  support::quoted_symbol(kernel.name) + " is launched";
  error.help = "ask for the pipeline model alone (--model pipeline)";
  return error;
}

void add_string(Analysis& analysis, WarpString string) {
  analysis.instructions = string.instructions;
  analysis.string = std::move(string.string);
  analysis.transformed = std::move(string.transformed);
  analysis.servers = string.servers;
  analysis.only_one_string = string.only_one;
}

void add_models(Analysis& analysis, PipelineModel pipeline, StringModel string) {
  analysis.fetch = std::move(pipeline.fetch);
  analysis.resources = std::move(pipeline.resources);
  analysis.any_dispatcher = pipeline.any_dispatcher;
  analysis.witness = string.witness;
  analysis.bounds.push_back({"pipeline", std::move(pipeline.bound)});
  for (solver::Bound& bound : string.bounds) analysis.bounds.push_back({"string", std::move(bound)});
}

}  // namespace

Result<Analysis> analyze(const ir::Kernel& kernel, const ir::Flow& given_flow, const ir::Launch& launch,
                         const Machine& given_machine, const AssumptionSet& granted,
                         const std::optional<Limits>& string_limits) {
  if (kernel.instructions.empty()) return no_instructions(kernel);
  if (kernel.calls_outside() && !has_calls(given_machine)) {
    // The string model has no symbol for what a call does.
    return analyze(kernel, given_flow, launch, with_calls(given_machine), granted, std::nullopt);
  }
  const auto load = load_of(kernel, launch, given_machine);
  if (!load) return load.errors();

  if (load->cluster > 1 && string_limits) return no_strings(kernel);
  std::vector<std::string> of_registers;
  if (!kernel.is_machine_code()) {  // which has its registers and spills in it
    const auto registers = spill_assumption(kernel, launch, given_machine, granted.has(Assumption::no_spills));
    if (!registers) return registers.errors();
    of_registers.push_back(*registers);
  }
  Services alone;
  for (const int64_t lanes : lanes_of_copies(kernel, given_flow)) alone.operations.emplace_back().lanes = lanes;
  auto costs = costs_of(kernel, given_machine, alone);
  if (!costs) return costs.errors();
  auto flow = with_bulk_copies(kernel, given_flow, load->needs.shared_bytes.most);
  if (!flow) return flow.errors();
  flow->lane_groups = ir::lane_groups_of(kernel, *flow);
  if (auto errors = unknown_samplers(kernel, *costs); !errors.empty() && !granted.has(Assumption::plain_textures)) {
    return errors;
  }
  const ir::Flow waiting = with_waits(kernel, *flow, *costs, given_machine);
  if (auto errors = endless_suspensions(kernel, waiting); !errors.empty()) return errors;
  const Machine machine = with_wait_resources(given_machine, waiting);
  if (has_waits(waiting)) costs = costs_of(kernel, machine, alone);
  if (!costs) return costs.errors();
  PipelineRuns runs(kernel, waiting, *load, machine);
  auto run = runs.least(granted);
  if (!run) return run.errors();
  add_assumptions(run->model.bound, of_registers);
  const WarpNeeds& needs = *run->needs;
  const PricedWarp& warp = *needs.warp;
  add_assumptions(run->model.bound, needs.contended.assumptions);

  const auto best = one_warp_time(kernel, waiting, *costs, machine, Case::best);
  if (!best) return best.errors();
  const auto average = one_warp_time(kernel, waiting, *costs, machine, Case::average);
  if (!average) return average.errors();
  const auto waits = worst_case_waits(warp.code.kernel, warp.code.flow, warp.costs, machine, warp.order, warp.worst);

  auto rungs = ladder(runs);
  if (!rungs) return rungs.errors();

  const auto totals = symbol_totals(kernel, *flow, machine);
  if (!totals) return totals.errors();
  auto string = warp_string(kernel, *flow, machine);
  if (!string) return string.errors();
  StringModel strings;
  if (string_limits) {
    // Trip counts are upper ones: a warp may leave a loop early and so execute another string.
    const bool only_one = string->only_one && flow->loops.empty();
    auto model = string_model(*string, *totals, only_one, *load, machine, *string_limits);
    if (!model) return model.errors();
    strings = std::move(*model);
  }

  Analysis analysis;
  analysis.load = *load;
  analysis.best = *best;
  analysis.average = *average;
  analysis.worst = warp.worst;
  analysis.raw_edges = ir::count_raw_edges(kernel);
  analysis.clock_readings = clock_readings(kernel, waiting, *costs, machine);
  if (waits) {
    const ResourceHolders holders = resource_holders(warp.code.kernel, warp.code.flow, warp.costs, machine);
    const WarpShares shares{*waits, needs.resources, holders, needs.contended, warp.origins};
    analysis.costs = attribute(kernel, machine, shares, run->model.bound).costs;
  }
  analysis.ladder = std::move(*rungs);
  analysis.assumed_figures = operations_with_assumed_costs(kernel, *costs);
  add_string(analysis, std::move(*string));
  add_models(analysis, std::move(run->model), std::move(strings));
  return analysis;
}

}  // namespace warpspan::timing
