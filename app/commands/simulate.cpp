// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan simulate: how long a kernel probably takes, and what its warps wait for.
#include "app/requests/simulate.hpp"

#include <memory>
#include <set>

#include "app/cli/command.hpp"
#include "app/cli/memory.hpp"
#include "app/cli/option_groups.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/report_files.hpp"
#include "app/facts/contents.hpp"
#include "app/facts/fact_kind.hpp"
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
    "  warpspan simulate kernel.cubin --block 256 --grid 64 --figures worst --assume stream\n"
    "  warpspan simulate kernel.cubin --block 256 --contents integers --format json --output simulation.json\n";

constexpr size_t rows_of_page = 32;  // of a timeline

struct SimulateOptions {
  SimulateRequest request;
  int64_t memory = 0;  // bytes for everything
  bool explain = false, quick = false;
  std::string format, output;
  std::vector<ReportRequest> reports;
};

Outcome simulate(const SimulateOptions& options) {
  limit_memory(options.memory);
  SimulateRequest request = options.request;
  if (options.quick) {
    request.effort = SimulationEffort::quick;
    request.execution.most_steps = execution_of(SimulationEffort::quick).most_steps;
    request.limits.instructions = limits_of(SimulationEffort::quick).instructions;
  }
  if (asks_for_format("html", options.format, options.reports)) request.limits.timeline_rows = rows_of_page;
  SimulateReport report = simulate_kernels(request);
  TextStyle style = style_of(options.output);
  style.explain = options.explain;
  LongText text = render(simulate_formats, report, options.format, style);
  Outcome outcome{std::move(text), {}, options.output};
  outcome.further = further_reports(simulate_formats, report, options.reports);
  outcome.errors = std::move(report.errors);
  for (SavedArray& array : report.saved) outcome.further.push_back({array.path, std::move(array.bytes), save_option});
  return outcome;
}

void add_policy(OptionSet& set, timing::SchedulingPolicy& to) {
  std::vector<std::string> names;
  for (size_t i = 0; i < timing::scheduling_policies; ++i)
    names.emplace_back(to_string(static_cast<timing::SchedulingPolicy>(i)));
  add_choice(set, "--scheduler", names, "Which warp a scheduler issues where several can; default: " + names.front(),
             to);
}

void add_contents(OptionSet& set, ir::ExecutionOptions& to, RunRecord& run) {
  const auto read = [&set, &to, &run, seen = std::set<std::string>()](const std::string& text) mutable {
    support::Diagnostics errors = read_contents(contents_option, text, to);
    const std::string named =
        text.starts_with("@") || text.find('=') == std::string::npos ? "" : before_first_sign(text);
    if (!errors.empty()) return errors;
    if (!seen.insert(named).second) set.twice(contents_option + (named.empty() ? "" : " " + named));
    const auto& bytes = named.empty() ? to.contents.bytes : to.pointed.back().contents.bytes;
    if (bytes != nullptr) run.add_input(text.substr(text.find('@') + 1), *bytes);
    return errors;
  };
  set.each_text(contents_option, "[NAME=]WHAT",
                "What the array that a parameter points to holds before, or all others do: zeros, ramp, integers, "
                "integers<N, reals, doubles, halves, each with :SEED where it is drawn, or @FILE; default: zeros; "
                "repeatable",
                read);
}

void add_figures(OptionSet& set, bool& worst) {
  add_choice(
      set, "--figures", {"typical", "worst"},
      "With worst, also the slowest of several runs with the figures that the bound counts with, beside the bound; "
      "default: typical",
      worst);
}

void add_saved(OptionSet& set, std::vector<SaveRequest>& to) {
  const auto read = [&set, &to](const std::string& text) -> support::Diagnostics {
    const size_t sign = text.find('=');
    if (sign == 0 || sign == std::string::npos || sign + 1 == text.size())
      return {expected(save_option, "NAME=FILE, such as x=x.bin", text)};
    SaveRequest made{text.substr(0, sign), text.substr(sign + 1)};
    for (const SaveRequest& other : to) {
      if (other.path == made.path) set.usage(save_option + ": two arrays for file '" + made.path + "'");
    }
    to.push_back(std::move(made));
    return {};
  };
  set.each_text(
      save_option, "NAME=FILE",
      "Write what the array of a parameter holds in the end, of which --buffer gives the size; all blocks are "
      "executed for it; repeatable",
      read);
}

Run declare(OptionSet& set) {
  const auto options = std::make_shared<SimulateOptions>();
  SimulateRequest& request = options->request;
  add_kernels(set, request.kernels);
  add_machine_name(set, request.machine);
  add_block_needs(set, request.kernels.launch);
  add_contents(set, request.execution, request.run);
  add_policy(set, request.limits.policy);
  add_figures(set, request.worst_figures);
  add_assumptions(set, request.assumed);
  add_saved(set, request.saved);
  set.flag("--quick", "Simulate only as much as 'analyze' does by itself", options->quick);
  set.flag("--explain", "All instructions that were executed, in the order of the code", options->explain);
  add_format(set, forms_of(simulate_formats), "report", options->format);
  add_memory(set, options->memory);
  add_output(set, forms_of(simulate_formats), "report", options->format, options->output);
  add_reports(set, forms_of(simulate_formats), options->output, options->reports);
  set.not_deciding("--explain");
  set.not_deciding("--output");
  request.run.command = "simulate";
  set.record(request.run.arguments);
  return [options] { return simulate(*options); };
}

}  // namespace

Command simulate_command() {
  return {"simulate", "Tell how long kernels probably take, and what their warps wait for", footer, declare,
          report_of_errors<SimulateReport>};
}

}  // namespace warpspan::app
