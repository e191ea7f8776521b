// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan rta: response times of tasks that run kernels on one GPU.
#include <memory>

#include "app/cli/command.hpp"
#include "app/cli/memory.hpp"
#include "app/cli/option_groups.hpp"
#include "app/cli/report_files.hpp"
#include "app/cli/solve_values.hpp"
#include "app/files/tasks_file.hpp"
#include "app/reports/errors_document.hpp"
#include "app/reports/response_times/response_formats.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

namespace {

using support::Result;

constexpr const char* footer =
    "The file has the GPU and its tasks, in TOML (docs/response-times.md). Exit status 1: a deadline may be missed.\n"
    "\nExamples:\n"
    "  warpspan rta samples/rta/tasks.toml\n"
    "  warpspan rta samples/rta/tx2.toml --timeline\n"
    "  warpspan rta tasks.toml --explain --runs 5000\n"
    "  warpspan rta samples/rta/late.toml --output late.html\n"
    "  warpspan rta tasks.toml --format json --output rta.json\n";

constexpr int64_t usual_runs = 500;
constexpr int64_t most_runs = 1'000'000'000;

struct RtaOptions {
  std::vector<std::string> files;
  std::vector<std::string> assembler;  // of kernels without one
  int64_t runs = usual_runs;
  bool explain = false, timeline = false;
  int64_t memory = 0;  // bytes for everything
  std::string format, output;
  std::vector<ReportRequest> reports;
  std::vector<std::string> words;  // OptionSet::record
};

Result<int64_t> parse_runs(const std::string& option, const std::string& text) {
  if (text == "0") return int64_t{0};
  const auto runs = parse_count(option, text);
  if (runs && *runs <= most_runs) return *runs;
  return support::usage_error(option + ": expected a number from 0 to " + std::to_string(most_runs) + ", got '" + text +
                              "'");
}

ResponseReport report_of(const RtaOptions& options) {
  ResponseReport failed;
  failed.file = options.files.front();
  failed.run.command = "rta";
  failed.run.arguments = options.words;
  const auto source = support::read_source(options.files.front());
  failed.errors = source ? support::Diagnostics() : source.errors();
  if (!source) return failed;
  failed.run.add_input(source->name(), source->bytes());
  auto request = parse_tasks(source->name(), source->text());
  failed.errors = request ? support::Diagnostics() : request.errors();
  if (!request) return failed;
  const auto assemblies = std::make_shared<Assemblies>();
  const auto inputs = std::make_shared<InputShelf>();
  for (auto& [index, kernel] : request->bounded) {
    if (kernel.compilation.assembler.empty()) kernel.compilation.assembler = options.assembler;
    kernel.compilation.assemblies = assemblies;
    kernel.compilation.inputs = inputs;
  }
  request->runs = options.runs;
  const bool page = asks_for_format("html", options.format, options.reports);
  request->timeline = options.timeline || asks_for_format("svg", options.format, options.reports);
  request->pictures = page;
  request->terms = options.explain || page;
  request->memory = options.memory / search_share;
  ResponseReport report = response_times(*request);
  RunRecord run = failed.run;
  run.add(report.run);
  report.run = std::move(run);
  return report;
}

Outcome rta(const RtaOptions& options) {
  limit_memory(options.memory);
  ResponseReport report = report_of(options);
  TextStyle style = style_of(options.output);
  style.explain = options.explain;
  Outcome outcome;
  outcome.report = render(response_formats, report, options.format, style);
  outcome.path = options.output;
  outcome.further = further_reports(response_formats, report, options.reports);
  outcome.over_budget = !all_meet(report);
  outcome.errors = std::move(report.errors);
  return outcome;
}

Run declare(OptionSet& set) {
  const auto options = std::make_shared<RtaOptions>();
  set.positional("FILE", "The tasks file, in TOML", [&set, to = options.get()](const std::vector<std::string>& files) {
    to->files = files;
    if (files.empty()) set.usage("no tasks file is given", "give a TOML file; docs/response-times.md has its keys");
    if (files.size() > 1) set.usage("give one tasks file at a time");
  });
  add_assembler(set, options->assembler);
  set.value("--runs", "N", "Search so many runs for slow responses; 0: none; default: " + std::to_string(usual_runs),
            parse_runs, options->runs);
  set.flag("--explain", "Tell what each bound is the sum of, and all assumptions", options->explain);
  set.flag("--timeline", "Tell a run in which everything takes its most time, up to the longest period",
           options->timeline);
  add_format(set, forms_of(response_formats), "report", options->format);
  add_memory(set, options->memory);
  add_output(set, forms_of(response_formats), "report", options->format, options->output);
  set.not_deciding("--output");
  add_reports(set, forms_of(response_formats), options->output, options->reports);
  set.record(options->words);
  return [options] { return rta(*options); };
}

}  // namespace

Command rta_command() {
  return {"rta", "Bound the response times of tasks that run kernels on one GPU", footer, declare,
          report_of_errors<ResponseReport>};
}

}  // namespace warpspan::app
