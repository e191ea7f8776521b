// warpspan analyze: the bounds of every kernel of the files.
#include <memory>

#include "app/cli/command.hpp"
#include "app/cli/fleet_options.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/memory.hpp"
#include "app/cli/option_groups.hpp"
#include "app/files/ptxas_log.hpp"
#include "app/reports/analyze/analyze_formats.hpp"
#include "app/reports/errors_document.hpp"
#include "app/requests/bound_kernels.hpp"
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

struct AnalyzeOptions {
  BoundRequest request;
  std::vector<std::string> logs;
  std::string format;
  bool explain = false;
  FleetOptions fleet;
  std::optional<Shard> shard;
  int64_t memory = 0;              // bytes for everything
  std::string output;              // file; empty: standard output
  std::vector<std::string> words;  // OptionSet::record
};

Outcome analyze(const AnalyzeOptions& options) {
  limit_memory(options.memory);
  const Interrupt interrupt;
  const FleetRun fleet(options.fleet, options.memory, interrupt);
  BoundRequest request = options.request;
  request.fleet = fleet.fleet();
  request.limits.memory = options.memory / search_share;
  request.limits.cancel = &interrupt.flag();
  request.kernels.explain = true;
  request.advice = request.pipeline_model;
  RunRecord run;
  run.command = "analyze";
  run.arguments = options.words;
  support::Diagnostics wrong = fleet.errors();
  request.compiled = read_ptxas_logs(options.logs, run, wrong);
  const bool offers_assembler = request.kernels.compilation.assembler.empty();
  Outcome outcome;
  if (options.shard && wrong.empty()) {
    const auto shard = shard_of_bounds(request, {run, offers_assembler}, *options.shard);
    if (!shard) return {{}, shard.errors(), {}};
    outcome = {to_json(*shard), {}, options.output};
  } else {
    AnalyzeReport report;
    report.errors = wrong;
    if (wrong.empty()) report = bound_kernels(request);
    run.add(report.run);
    report.run = std::move(run);
    TextStyle style = style_of(options.output);
    style.explain = options.explain;
    style.offers_assembler = offers_assembler && assembler_at_hand(options.output);
    outcome.report = render(analyze_formats, report, options.format, options.output, style);
    outcome.errors = std::move(report.errors);
    outcome.path = options.output;
  }
  fleet.add_notes(outcome);
  return outcome;
}

Run declare(OptionSet& set) {
  const auto options = std::make_shared<AnalyzeOptions>();
  add_bounds(set, options->request);
  add_logs(set, options->logs);
  add_models(set, options->request);
  options->request.expects = true;
  add_effort(set, options->request.effort);
  add_format(set, names_of(analyze_formats), "report", options->format);
  set.flag("--explain", "Tell in the text all that is known: assumptions in full, strings, unmeasured figures",
           options->explain);
  set.not_deciding("--explain");
  add_fleet(set, options->fleet);
  add_shard(set, options->format, {"--explain"}, options->shard);
  add_memory(set, options->memory);
  set.text("--output", "FILE", "Write the report, if there is one, to this file; default: standard output",
           options->output);
  set.not_deciding("--output");
  set.record(options->words);
  return [options] { return analyze(*options); };
}

}  // namespace

Command analyze_command() {
  return {"analyze", "Bound the worst-case makespan of each kernel", footer, declare, report_of_errors<AnalyzeReport>};
}

}  // namespace warpspan::app
