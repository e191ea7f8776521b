// warpspan simulate: how long a kernel probably takes, and what its warps wait for.
#include "app/requests/simulate.hpp"

#include <memory>

#include "app/cli/command.hpp"
#include "app/cli/memory.hpp"
#include "app/cli/option_groups.hpp"
#include "app/cli/option_values.hpp"
#include "app/reports/errors_document.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/simulate/simulate_formats.hpp"

namespace warpspan::app {

namespace {

constexpr const char* footer =
    "The time is an estimate of machine code, not safe: a run may take longer. 'warpspan analyze' bounds it.\n"
    "\nExamples:\n"
    "  warpspan simulate kernel.cubin --block 256 --grid 1000 --arg 3=100000 --buffer 0=400000\n"
    "  warpspan simulate samples/saxpy.ptx --assemble 'ptxas -O3' --block 256 --grid 1000 --arg 3=256000\n"
    "  warpspan simulate kernel.cubin --block 256 --contents random --format json --output simulation.json\n";

struct SimulateOptions {
  SimulateRequest request;
  int64_t memory = 0;  // bytes for everything
  bool explain = false, quick = false;
  std::string format, output;
};

Outcome simulate(const SimulateOptions& options) {
  limit_memory(options.memory);
  SimulateRequest request = options.request;
  if (options.quick) {
    request.effort = SimulationEffort::quick;
    request.execution.most_steps = execution_of(SimulationEffort::quick).most_steps;
    request.limits.instructions = limits_of(SimulationEffort::quick).instructions;
  }
  SimulateReport report = simulate_kernels(request);
  TextStyle style = style_of(options.output);
  style.explain = options.explain;
  std::string text = render(simulate_formats, report, options.format, options.output, style);
  return {std::move(text), std::move(report.errors), options.output};
}

support::Result<timing::SchedulingPolicy> parse_policy(const std::vector<std::string>& names, const std::string& option,
                                                       const std::string& text) {
  const auto name = parse_name(names, option, text);
  if (!name) return name.errors();
  const auto place = std::find(names.begin(), names.end(), *name) - names.begin();
  return static_cast<timing::SchedulingPolicy>(place);
}

void add_policy(OptionSet& set, timing::SchedulingPolicy& to) {
  std::vector<std::string> names;
  for (size_t i = 0; i < timing::scheduling_policies; ++i)
    names.emplace_back(to_string(static_cast<timing::SchedulingPolicy>(i)));
  set.value(
      "--scheduler", joined(names, "|"), "Which warp a scheduler issues where several can; default: " + names.front(),
      [names](const std::string& option, const std::string& text) { return parse_policy(names, option, text); }, to);
}

// What memory holds that parameters point to.
void add_contents(OptionSet& set, ir::Contents& to) {
  const std::vector<std::string> names = {"zeros", "random", "reals", "ramp"};
  set.value(
      "--contents", joined(names, "|"),
      "What memory holds that parameters point to: 0, random integers, random numbers below 1, or 0, 1, 2, ...; "
      "default: zeros",
      [names](const std::string& option, const std::string& text) -> support::Result<ir::Contents> {
        using Kind = ir::Contents::Kind;
        const auto name = parse_name(names, option, text);
        if (!name) return name.errors();
        constexpr Kind kinds[] = {Kind::zeros, Kind::integers, Kind::reals, Kind::ramp};
        ir::Contents contents;
        contents.kind = kinds[std::find(names.begin(), names.end(), *name) - names.begin()];
        return contents;
      },
      to);
}

Run declare(OptionSet& set) {
  const auto options = std::make_shared<SimulateOptions>();
  SimulateRequest& request = options->request;
  add_kernels(set, request.kernels);
  add_machine_name(set, request.machine);
  add_block_needs(set, request.kernels.launch);
  add_contents(set, request.execution.contents);
  add_policy(set, request.limits.policy);
  set.flag("--quick", "Simulate only as much as 'analyze' does by itself", options->quick);
  set.flag("--explain", "All instructions that were executed, in the order of the code", options->explain);
  add_format(set, names_of(simulate_formats), "report", options->format);
  add_memory(set, options->memory);
  set.text("--output", "FILE", "Write the report, if there is one, to this file; default: standard output",
           options->output);
  return [options] { return simulate(*options); };
}

}  // namespace

Command simulate_command() {
  return {"simulate", "Tell how long kernels probably take, and what their warps wait for", footer, declare,
          report_of_errors<SimulateReport>};
}

}  // namespace warpspan::app
