// warpspan analyze: the bounds of every kernel of the files.
#include "app/commands/analyze.hpp"

#include <memory>

#include "app/cli/command.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/memory.hpp"
#include "app/cli/option_groups.hpp"
#include "app/cli/report_files.hpp"
#include "app/files/ptxas_log.hpp"
#include "app/reports/analyze/analyze_formats.hpp"
#include "app/reports/errors_document.hpp"

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
  bool explain = false;
  int64_t memory = 0;  // bytes for everything
  std::string output;  // file; empty: standard output
  std::vector<ReportRequest> reports;
};

Outcome run(const CommandOptions& options) {
  limit_memory(options.memory);
  const Interrupt interrupt;
  AnalyzeOptions what = options.found;
  what.request.limits.memory = options.memory / search_share;
  what.request.limits.cancel = &interrupt.flag();
  what.request.with_code = what.request.pipeline_model && asks_for_format("html", options.format, options.reports);
  AnalyzeReport report = analyze(what);
  TextStyle style = style_of(options.output);
  style.explain = options.explain;
  style.offers_assembler = what.request.kernels.compilation.assembler.empty() && assembler_at_hand(options.output);
  std::string text = render(analyze_formats, report, options.format, style);
  Outcome outcome{std::move(text), {}, options.output};
  outcome.further = further_reports(analyze_formats, report, options.reports);
  outcome.errors = std::move(report.errors);
  return outcome;
}

Run declare(OptionSet& set) {
  const auto options = std::make_shared<CommandOptions>();
  add_analysis(set, options->found);
  add_format(set, names_of(analyze_formats), "report", options->format);
  set.flag("--explain", "Tell in the text all that is known: assumptions in full, strings, unmeasured figures",
           options->explain);
  set.not_deciding("--explain");
  add_memory(set, options->memory);
  add_output(set, forms_of(analyze_formats), "report", options->format, options->output);
  set.not_deciding("--output");
  add_reports(set, names_of(analyze_formats), options->output, options->reports);
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
}

AnalyzeReport analyze(const AnalyzeOptions& options) {
  BoundRequest request = options.request;
  request.kernels.explain = true;
  request.advice = request.pipeline_model;
  RunRecord run;
  support::Diagnostics wrong_logs;
  request.compiled = read_ptxas_logs(options.logs, run, wrong_logs);
  AnalyzeReport report;
  report.errors = wrong_logs;
  if (wrong_logs.empty()) report = bound_kernels(request);
  run.add(report.run);
  report.run = std::move(run);
  report.run.command = "analyze";
  report.run.arguments = options.words;
  return report;
}

Command analyze_command() {
  return {"analyze", "Bound the worst-case makespan of each kernel", footer, declare, report_of_errors<AnalyzeReport>};
}

}  // namespace warpspan::app
