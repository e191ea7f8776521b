// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/analysis.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "ir/dependencies.hpp"
#include "ir/lane_groups.hpp"
#include "support/symbol_name.hpp"
#include "timing/bounds/pipeline_run.hpp"
#include "timing/costs/access_classes.hpp"
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

// Of instructions that were put before others.
std::vector<bool> constant_reads_before(const ir::Kernel& kernel, const ir::Kernel& priced,
                                        const std::vector<ir::InstructionId>& origins) {
  std::vector<bool> reads(origins.size());
  for (ir::InstructionId id = 0; id < origins.size(); ++id) {
    reads[id] = is_constant_load(priced.operation(priced.instructions[id]).kind) &&
                !is_constant_load(kernel.operation(kernel.instructions[origins[id]]).kind);
  }
  return reads;
}

// The costliest instruction of each part of the bound that counts blocks, each once: with the part that is longest.
std::vector<SerialStep> serial_steps(const solver::Bound& bound, const Machine& machine, const Occupants& occupants,
                                     const std::vector<ir::InstructionId>& origins) {
  std::vector<SerialStep> steps;
  for (const solver::Part& part : bound.parts) {
    const auto resource = machine.resource(part.name);
    if (part.kind != solver::Part::Kind::blocks || !resource || occupants.partial_block.empty()) continue;
    const Shares& shares = occupants.partial_block[*resource];
    const auto most = std::max_element(shares.begin(), shares.end(),
                                       [](const Share& a, const Share& b) { return a.cycles < b.cycles; });
    if (most == shares.end()) continue;
    const SerialStep step{origins[most->instruction], part.workers, (most->cycles - 1) / part.servers + 1};
    const auto known = std::find_if(steps.begin(), steps.end(),
                                    [&step](const SerialStep& one) { return one.instruction == step.instruction; });
    if (known == steps.end()) {
      steps.push_back(step);
    } else if (support::Int128{step.blocks} * step.cycles > support::Int128{known->blocks} * known->cycles) {
      *known = step;
    }
  }
  return steps;
}

// What has been found out so far, and the steps that find out more, in the order of analyze.
class Analyzer {
 public:
  Analyzer(const ir::Kernel& kernel, const ir::Flow& flow, const ir::Launch& launch, const Machine& machine,
           const AssumptionSet& assumed, const std::optional<Limits>& string_limits, bool with_advice)
      : kernel_(kernel),
        given_flow_(flow),
        launch_(launch),
        machine_(machine),
        assumed_(assumed),
        string_limits_(string_limits),
        with_advice_(with_advice) {}

  Result<Analysis> run() {
    for (const auto step :
         {&Analyzer::add_calls, &Analyzer::fit_launch, &Analyzer::fit_registers, &Analyzer::find_costs,
          &Analyzer::count_copies, &Analyzer::check_textures, &Analyzer::count_waits, &Analyzer::bound_pipeline,
          &Analyzer::time_one_warp, &Analyzer::climb_ladder, &Analyzer::find_usual, &Analyzer::bound_strings}) {
      if (support::Diagnostics errors = (this->*step)(); !errors.empty()) return errors;
    }
    attribute_costs();
    if (with_advice_) give_advice();
    return std::move(analysis_);
  }

 private:
  support::Diagnostics add_calls();
  support::Diagnostics fit_launch();
  support::Diagnostics fit_registers();
  support::Diagnostics find_costs();
  support::Diagnostics count_copies();
  support::Diagnostics check_textures();
  support::Diagnostics count_waits();
  support::Diagnostics bound_pipeline();
  support::Diagnostics time_one_warp();
  support::Diagnostics climb_ladder();
  support::Diagnostics find_usual();
  support::Diagnostics bound_strings();
  void attribute_costs();
  void give_advice();

  CostedKernel costed() const { return {kernel_, waiting_, costs_, machine_}; }
  solver::Bound& pipeline() { return analysis_.bounds.front().bound; }

  const ir::Kernel& kernel_;
  const ir::Flow& given_flow_;
  const ir::Launch& launch_;
  Machine machine_;  // the one given, with resources for what only some kernels do
  const AssumptionSet& assumed_;
  std::optional<Limits> string_limits_;
  bool with_advice_;

  std::string registers_;  // the sentence on them; empty of machine code
  Costs costs_;            // where nothing is assumed of accesses
  ir::Flow waiting_;       // Analysis::flow, with the loops that wait
  std::optional<PipelineRuns> runs_;
  std::shared_ptr<const WarpNeeds> needs_;  // of the smallest bound
  std::vector<SerialStep> serial_;
  Analysis analysis_;
};

support::Diagnostics Analyzer::add_calls() {
  if (kernel_.instructions.empty()) return {no_instructions(kernel_)};
  if (!kernel_.calls_outside() || has_calls(machine_)) return {};
  machine_ = with_calls(std::move(machine_));
  string_limits_.reset();  // the string model has no symbol for what a call does
  return {};
}

support::Diagnostics Analyzer::fit_launch() {
  auto load = load_of(kernel_, launch_, machine_);
  if (!load) return load.errors();
  if (load->cluster > 1 && string_limits_) return {no_strings(kernel_)};
  analysis_.load = std::move(*load);
  return {};
}

// Machine code has its registers and spills in it.
support::Diagnostics Analyzer::fit_registers() {
  if (kernel_.is_machine_code()) return {};
  const auto registers = spill_assumption(kernel_, launch_, machine_, assumed_.has(Assumption::no_spills));
  if (!registers) return registers.errors();
  registers_ = *registers;
  return {};
}

support::Diagnostics Analyzer::find_costs() {
  Services alone;
  for (const int64_t lanes : lanes_of_copies(kernel_, given_flow_)) alone.operations.emplace_back().lanes = lanes;
  auto costs = costs_of(kernel_, machine_, alone);
  if (!costs) return costs.errors();
  costs_ = std::move(*costs);
  return {};
}

support::Diagnostics Analyzer::count_copies() {
  auto flow = with_bulk_copies(kernel_, given_flow_, analysis_.load.needs.shared_bytes.most);
  if (!flow) return flow.errors();
  analysis_.flow = std::move(*flow);
  analysis_.flow.lane_groups = ir::lane_groups_of(kernel_, analysis_.flow);
  return {};
}

support::Diagnostics Analyzer::check_textures() {
  if (assumed_.has(Assumption::plain_textures)) return {};
  return unknown_samplers(kernel_, costs_);
}

support::Diagnostics Analyzer::count_waits() {
  waiting_ = with_waits({kernel_, analysis_.flow, costs_, machine_});
  if (auto errors = endless_suspensions(kernel_, waiting_); !errors.empty()) return errors;
  if (has_waits(waiting_)) add_wait_resources(machine_, costs_);
  return {};
}

support::Diagnostics Analyzer::bound_pipeline() {
  runs_.emplace(kernel_, waiting_, analysis_.load, machine_);
  auto run = runs_->smallest_bound(assumed_);
  if (!run) return run.errors();
  needs_ = std::move(run->needs);
  PipelineModel& model = run->model;
  if (!registers_.empty()) add_assumptions(model.bound, {registers_});
  add_assumptions(model.bound, needs_->launched.assumptions);
  analysis_.worst = needs_->warp->worst;
  analysis_.fetch = std::move(model.fetch);
  analysis_.resources = std::move(model.resources);
  analysis_.any_dispatcher = model.any_dispatcher;
  analysis_.bounds.push_back({"pipeline", std::move(model.bound)});
  return {};
}

support::Diagnostics Analyzer::time_one_warp() {
  const auto best = one_warp_time(costed(), Case::best);
  if (!best) return best.errors();
  const auto average = one_warp_time(costed(), Case::average);
  if (!average) return average.errors();
  analysis_.best = *best;
  analysis_.average = *average;
  analysis_.raw_edges = ir::count_raw_edges(kernel_);
  analysis_.clock_readings = clock_readings(costed());
  analysis_.assumed_figures = operations_with_assumed_costs(kernel_, costs_);
  return {};
}

support::Diagnostics Analyzer::climb_ladder() {
  auto rungs = ladder(*runs_);
  if (!rungs) return rungs.errors();
  analysis_.ladder = std::move(*rungs);
  return {};
}

// The ladder has what is true whatever the device does.
support::Diagnostics Analyzer::find_usual() {
  const AssumptionSet usual = machine_.usual_assumptions();
  if (usual == AssumptionSet()) return {};
  if (usual == assumed_) {
    analysis_.usual = pipeline().makespan;
    return {};
  }
  const auto run = runs_->smallest_bound(usual);
  if (!run) return run.errors();
  analysis_.usual = run->model.bound.makespan;
  return {};
}

void Analyzer::give_advice() {
  analysis_.advice = advise({kernel_, waiting_, launch_, analysis_.load, machine_, assumed_, pipeline(),
                             analysis_.usual, analysis_.costs, serial_});
}

support::Diagnostics Analyzer::bound_strings() {
  const auto totals = symbol_totals(kernel_, analysis_.flow, machine_);
  if (!totals) return totals.errors();
  auto string = warp_string(kernel_, analysis_.flow, machine_);
  if (!string) return string.errors();
  if (string_limits_) {
    // Trip counts are upper ones: a warp may leave a loop early and so execute another string.
    const bool only_one = string->only_one && analysis_.flow.loops.empty();
    auto model = string_model(*string, *totals, only_one, analysis_.load, machine_, *string_limits_);
    if (!model) return model.errors();
    analysis_.witness = model->witness;
    for (solver::Bound& bound : model->bounds) analysis_.bounds.push_back({"string", std::move(bound)});
  }
  analysis_.instructions = string->instructions;
  analysis_.string = std::move(string->string);
  analysis_.transformed = std::move(string->transformed);
  analysis_.servers = string->servers;
  analysis_.only_one_string = string->only_one;
  return {};
}

void Analyzer::attribute_costs() {
  const PricedWarp& warp = *needs_->warp;
  const CostedKernel priced = warp.costed(machine_);
  const auto waits = worst_case_waits(priced, warp.scenario.order, warp.worst);
  if (!waits) return;
  const Occupants occupants = find_occupants(priced);
  const std::vector<bool> reads = constant_reads_before(kernel_, priced.kernel, warp.origins);
  const WarpShares shares{*waits, needs_->alone, occupants, needs_->launched.contenders, warp.origins, reads};
  analysis_.costs = attribute(kernel_, machine_, shares, pipeline()).costs;
  serial_ = serial_steps(pipeline(), machine_, occupants, warp.origins);
}

}  // namespace

Result<Analysis> analyze(const ir::Kernel& kernel, const ir::Flow& flow, const ir::Launch& launch,
                         const Machine& machine, const AssumptionSet& assumed,
                         const std::optional<Limits>& string_limits, bool with_advice) {
  return Analyzer(kernel, flow, launch, machine, assumed, string_limits, with_advice).run();
}

}  // namespace warpspan::timing
