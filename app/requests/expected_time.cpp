// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/expected_time.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/reports/readable.hpp"
#include "support/checked.hpp"
#include "timing/estimate/closed_form.hpp"
#include "timing/simulate/figures.hpp"

namespace warpspan::app {

namespace {

using Method = ExpectedTime::Method;
using support::Integer;
using support::Result;

// How far off estimates were on an H100, in hundredths: the spreads in docs/simulated.md, which a test compares.
constexpr int64_t factor_of_simulation = 118, factor_of_quick = 123, factor_of_code = 178, factor_of_ptx = 165;
// Of machines without typical figures: one warp's average path for each wave of as many blocks as may be resident, and
// what the warps of a multiprocessor issue.
std::optional<int64_t> by_average_latencies(const timing::Analysis& analysis, const timing::Machine& machine) {
  const timing::Load& load = analysis.load;
  Integer of_warp = 0;
  for (const int64_t count : analysis.instructions) of_warp += count;
  const auto issued = (of_warp * load.warps).value();
  if (!issued) return std::nullopt;
  const int64_t waves = (load.blocks - 1) / std::max<int64_t>(1, load.residency.blocks.most) + 1;
  return (Integer(waves) * analysis.average + *issued / machine.schedulers).value();
}

std::optional<int64_t> by_formula(const ir::Kernel& kernel, const timing::Analysis& analysis,
                                  const timing::Machine& machine) {
  constexpr double most = 4e18;
  const auto figures = timing::simulated_machine(machine);
  const auto form =
      figures ? timing::closed_form(kernel, analysis.flow, analysis.load, machine, *figures) : std::nullopt;
  if (!form) return by_average_latencies(analysis, machine);
  const double cycles = form->cycles();
  return cycles < most ? std::optional<int64_t>(std::llround(cycles)) : std::nullopt;
}

Result<timing::Simulation> simulation_of(const frontend::AnalyzedKernel& analyzed, const timing::Load& load,
                                         const timing::Machine& machine, SimulationEffort effort) {
  const ir::ExecutionOptions options = execution_of(effort);
  const auto execution = analyzed.execution(options);
  if (!execution) return execution.errors();
  return timing::simulate(simulated_launch(analyzed, load, *execution, options), machine, limits_of(effort));
}

// Why a simulation tells nothing of a launch; empty: it does.
std::string useless(const timing::Simulation& simulation, SimulationEffort effort) {
  if (!simulation.stopped.empty()) {
    const bool is_short = effort == SimulationEffort::quick && simulation.stopped.ends_with(" steps");
    return simulation.stopped + (is_short ? ": give --simulate full" : "");
  }
  if (simulation.depends_on_arguments) return "parameters without a value decide what it does: give --arg";
  return {};
}

std::optional<ExpectedTime> simulated(const frontend::AnalyzedKernel& analyzed, const timing::Load& load,
                                      const timing::Machine& machine, SimulationEffort effort, std::string& why_not) {
  const auto simulation = simulation_of(analyzed, load, machine, effort);
  why_not = simulation ? useless(*simulation, effort) : simulation.errors().front().message;
  return why_not.empty() ? std::optional(expected_by(*simulation, machine, effort)) : std::nullopt;
}

}  // namespace

ir::ExecutionOptions execution_of(SimulationEffort effort) {
  ir::ExecutionOptions options;
  if (effort == SimulationEffort::quick) options.most_steps = 200'000;
  return options;
}

timing::SimulationLimits limits_of(SimulationEffort effort) {
  timing::SimulationLimits limits;
  if (effort == SimulationEffort::quick) limits.instructions = 50'000;
  return limits;
}

timing::SimulatedLaunch simulated_launch(const frontend::AnalyzedKernel& analyzed, const timing::Load& load,
                                         std::function<ir::BlockTrace(int64_t)> trace, ir::ExecutionOptions options) {
  const ir::Extent grid = analyzed.launch.grid.value_or(ir::Extent{});
  // Few launches ask for all blocks: what executes them is made for the first one.
  auto of_all = [&analyzed, options = std::move(options),
                 execution = std::shared_ptr<const ir::BlockExecution>()](int64_t block) mutable {
    if (execution == nullptr) execution = std::make_shared<const ir::BlockExecution>(*analyzed.execution(options));
    return (*execution)(block);
  };
  return {analyzed.kernel, analyzed.details, grid, load, std::move(trace), std::move(of_all)};
}

ExpectedTime expected_by(const timing::Simulation& simulation, const timing::Machine& machine,
                         SimulationEffort effort) {
  ExpectedTime expected;
  expected.method = Method::simulated;
  expected.cycles = std::max<int64_t>(1, std::llround(simulation.cycles));
  expected.depends_on_data = simulation.depends_on_data;
  expected.assumptions = simulation.assumed;
  for (const timing::InstructionStalls& row : simulation.stalls) expected.waited.push_back(row.issued + row.sum());
  if (!simulation.zeroed.empty())
    expected.assumptions.push_back("Results of " + joined(simulation.zeroed) + " are taken to be 0.");
  const bool is_known = simulation.stopped.empty() && !simulation.depends_on_arguments && !simulation.depends_on_data;
  if (is_known && timing::is_simulation_measured(machine))
    expected.usual_factor = effort == SimulationEffort::quick ? factor_of_quick : factor_of_simulation;
  return expected;
}

std::optional<ExpectedTime> expected_time(const frontend::AnalyzedKernel& analyzed, const timing::Analysis& analysis,
                                          const timing::Machine& machine, SimulationEffort effort) {
  std::string why_not = "it is PTX: give machine code, or --assemble 'ptxas -O3'";
  if (analyzed.execution) why_not = "--simulate never";
  if (analyzed.execution && effort != SimulationEffort::never) {
    if (auto expected = simulated(analyzed, analysis.load, machine, effort, why_not)) return expected;
  }
  return estimated_time(analyzed, analysis, machine, std::move(why_not));
}

std::optional<ExpectedTime> estimated_time(const frontend::AnalyzedKernel& analyzed, const timing::Analysis& analysis,
                                           const timing::Machine& machine, std::string not_simulated) {
  const bool is_code = analyzed.kernel.is_machine_code();
  const auto cycles = by_formula(analyzed.kernel, analysis, machine);
  if (!cycles) return std::nullopt;
  ExpectedTime expected;
  expected.cycles = std::max<int64_t>(1, *cycles);
  if (timing::is_simulation_measured(machine)) expected.usual_factor = is_code ? factor_of_code : factor_of_ptx;
  expected.not_simulated = std::move(not_simulated);
  expected.assumptions.emplace_back("Loops run as often as they do at most, and the longer path is taken.");
  return expected;
}

}  // namespace warpspan::app
