// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan analyze: the bounds of every kernel of the files.
#include "app/commands/analyze.hpp"

#include <memory>

#include "app/cli/command.hpp"
#include "app/cli/fleet_options.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/memory.hpp"
#include "app/cli/option_groups.hpp"
#include "app/cli/report_files.hpp"
#include "app/files/ptxas_log.hpp"
#include "app/reports/analyze/analyze_formats.hpp"
#include "app/reports/errors_document.hpp"
#include "app/requests/bound_shards.hpp"

namespace warpspan::app {

namespace {

constexpr const char* footer =
    "Examples:\n"
    "  warpspan analyze samples/saxpy.ptx --block 256 --grid 4 --arg 3=100000\n"
    "  warpspan analyze samples/sfu.ptx --kernel sfu --block 16,16 --grid 64,64 --machine orin\n"
    "  warpspan analyze samples/transpose.ptx --block 32,8 --grid 64,64 --registers 24 --explain\n"
    "  warpspan analyze samples/fir_constant.ptx --grid 8 --machine fermi --model all --time-limit 60\n"
    "  warpspan analyze samples/search.ptx --block 128 --loop-bound '$L__BB0_4=20' --format json --output "
    "search.json\n"
    "  warpspan analyze saxpy.ptx --block 256 --grid 64 --arg 3=100000 --ptxas-log ptxas.log\n"
    "  warpspan analyze saxpy.ptx --block 256 --grid 64 --arg 3=100000 --assemble 'ptxas -O3'\n"
    "  nvcc -ptx -arch=sm_80 -o - saxpy.cu | warpspan analyze - --block 256 --grid 4 --arg 3=100000\n";

struct CommandOptions {
  AnalyzeOptions found;
  std::string format;
  FleetOptions fleet;
  std::optional<Shard> shard;
  int64_t memory = 0;  // bytes for everything
  std::string output;  // file; empty: standard output
  std::vector<ReportRequest> reports;
};

// What is asked of bound_kernels, and what is read for it.
struct Prepared {
  BoundRequest request;
  RunRecord run;
  support::Diagnostics errors;
};

Prepared prepared(const AnalyzeOptions& options) {
  Prepared what = {options.request, {}, {}};
  what.request.kernels.explain = true;
  what.request.advice = what.request.pipeline_model;
  what.run.command = "analyze";
  what.run.arguments = options.words;
  what.request.compiled = read_ptxas_logs(options.logs, what.run, what.errors);
  return what;
}

Outcome shard_of(const AnalyzeOptions& options, const Shard& shard, const std::string& output) {
  const Prepared what = prepared(options);
  if (!what.errors.empty()) return {{}, what.errors, {}};
  const bool offers_assembler = what.request.kernels.compilation.assembler.empty();
  const auto found = shard_of_bounds(what.request, {what.run, offers_assembler, options.explain}, shard);
  if (!found) return {{}, found.errors(), {}};
  return {to_json(*found), {}, output};
}

Outcome reported(const AnalyzeOptions& what, const CommandOptions& options) {
  AnalyzeReport report = analyze(what);
  TextStyle style = style_of(options.output);
  style.explain = what.explain;
  style.offers_assembler = what.request.kernels.compilation.assembler.empty() && assembler_at_hand(options.output);
  Outcome outcome{render(analyze_formats, report, options.format, style), {}, options.output};
  outcome.further = further_reports(analyze_formats, report, options.reports, what.explain);
  outcome.errors = std::move(report.errors);
  return outcome;
}

Outcome run(const CommandOptions& options) {
  limit_memory(options.memory);
  const Interrupt interrupt;
  const FleetRun fleet(options.fleet, options.memory, interrupt);
  if (!fleet.errors().empty()) return {{}, fleet.errors(), {}};
  AnalyzeOptions what = options.found;
  what.request.fleet = fleet.fleet();
  what.request.limits.memory = options.memory / search_share;
  what.request.limits.cancel = &interrupt.flag();
  const bool has_page = asks_for_format("html", options.format, options.reports);
  // A shard that is explained has the code too, for whichever form the report of all is given.
  what.request.with_code = what.request.pipeline_model && (has_page || (options.shard && what.explain));
  what.request.brief = !what.explain && !has_page;
  Outcome outcome = options.shard ? shard_of(what, *options.shard, options.output) : reported(what, options);
  fleet.add_notes(outcome);
  return outcome;
}

Run declare(OptionSet& set) {
  const auto options = std::make_shared<CommandOptions>();
  add_analysis(set, options->found);
  add_format(set, forms_of(analyze_formats), "report", options->format);
  add_fleet(set, options->fleet);
  add_shard(set, options->format, {"--report"}, options->shard);
  add_memory(set, options->memory);
  add_output(set, forms_of(analyze_formats), "report", options->format, options->output);
  set.not_deciding("--output");
  add_reports(set, forms_of(analyze_formats), options->output, options->reports);
  set.record(options->found.words);
  return [options] { return run(*options); };
}

}  // namespace

void add_analysis(OptionSet& set, AnalyzeOptions& to) {
  add_bounds(set, to.request);
  add_logs(set, to.logs);
  add_models(set, to.request);
  to.request.expects = true;
  add_effort(set, to.request.effort);
  set.flag("--explain",
           "Tell in text and JSON all that is known: assumptions in full, costs of lines and instructions, the ladder",
           to.explain);
}

AnalyzeReport analyze(const AnalyzeOptions& options) {
  const Prepared what = prepared(options);
  AnalyzeReport report;
  report.errors = what.errors;
  if (what.errors.empty()) report = bound_kernels(what.request);
  RunRecord run = what.run;
  run.add(report.run);
  report.run = std::move(run);
  return report;
}

Command analyze_command() {
  return {"analyze", "Bound the worst-case makespan of each kernel", footer, declare, report_of_errors<AnalyzeReport>};
}

}  // namespace warpspan::app
