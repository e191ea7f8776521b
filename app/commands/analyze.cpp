#include "app/commands/analyze.hpp"

#include <algorithm>
#include <optional>

#include "app/cli/interrupt.hpp"
#include "app/cli/memory.hpp"
#include "app/cli/read_files.hpp"
#include "app/reports/analyze_json.hpp"
#include "app/reports/analyze_text.hpp"
#include "support/isolated.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Diagnostics;
using support::Result;

// A kernel without a safe bound is an error, whatever else is known about it.
Diagnostic no_bound(const frontend::AnalysedKernel& analysed, const timing::Analysis& analysis) {
  Diagnostic error;
  error.location = analysed.kernel.location;
  error.message = "kernel '" + analysed.kernel.name + "' could not be bounded";
  for (const timing::ModelBound& entry : analysis.bounds) {
    if (entry.model == "pipeline" && !entry.bound.remark.empty()) error.message += ": " + entry.bound.remark;
  }
  error.help = "give tighter loop bounds or a smaller launch";
  return error;
}

constexpr const char* full_block =
    "Every block has as many threads as .maxntid allows: with fewer, loops may run more often.";

// .maxntid allows smaller blocks than the one that is analysed.
bool assumes_full_block(const frontend::AnalysedKernel& analysed) {
  return analysed.block_from_file && analysed.kernel.launch_bounds.required.x == 0;
}

std::string trips_assumption(const ir::Loop& loop) {
  const int64_t trips = loop.trip_count.value_or(1);
  return "The loop at '" + loop.label + "' (line " + std::to_string(loop.line) + ") runs at most " +
         std::to_string(trips) + (trips == 1 ? " time" : " times") + " each time it is entered (--loop-bound).";
}

// What every bound rests on that was said of the kernel and its launch, and is not proven; each once.
std::vector<std::string> assumptions_of(const frontend::AnalysedKernel& analysed) {
  std::vector<std::string> result;
  if (assumes_full_block(analysed)) result.emplace_back(full_block);
  for (const ir::Loop& loop : analysed.flow.loops) {
    if (loop.source != ir::TripCountSource::user) continue;
    std::string assumption = trips_assumption(loop);
    if (std::find(result.begin(), result.end(), assumption) == result.end()) result.push_back(std::move(assumption));
  }
  return result;
}

Diagnostic interruption() {
  Diagnostic note;
  note.severity = support::Severity::note;
  note.message = "interrupted: the bounds are complete, what was sought beyond them is not";
  return note;
}

// What the methods with a time limit have used.
double seconds_of(const timing::Analysis& analysis) {
  double sum = 0;
  for (const timing::ModelBound& entry : analysis.bounds) sum += entry.bound.seconds;
  return sum;
}

Result<KernelReport> bound_kernel(const std::string& file, const frontend::AnalysedKernel& analysed,
                                  const timing::Machine& machine, const timing::AssumptionSet& granted,
                                  const timing::Limits& limits) {
  auto analysis = timing::analyze(analysed.kernel, analysed.flow, analysed.launch, machine, granted, limits);
  if (!analysis) return analysis.errors();
  if (headline_bound(*analysis) == nullptr) return no_bound(analysed, *analysis);
  KernelReport report;
  report.file = file;
  report.name = analysed.kernel.name;
  report.machine = {machine.name, machine.description, machine.clock_khz, machine.multiprocessors};
  report.launch = analysed.launch;
  report.block_from_file = analysed.block_from_file;
  report.loops = analysed.flow.loops;
  report.analysis = std::move(*analysis);
  const std::vector<std::string> assumptions = assumptions_of(analysed);
  for (timing::ModelBound& entry : report.analysis.bounds) {
    entry.bound.assumptions.insert(entry.bound.assumptions.end(), assumptions.begin(), assumptions.end());
  }
  return report;
}

}  // namespace

AnalyzeReport bound_kernels(const AnalyzeOptions& options) {
  AnalyzeReport report;
  std::optional<timing::Machine> chosen;
  if (!options.machine.empty()) {
    auto loaded = timing::load_machine(options.machine);
    if (!loaded) {
      report.errors = loaded.errors();
      return report;
    }
    chosen = std::move(*loaded);
  }
  const Interrupt interrupt;
  timing::Limits limits;
  limits.cancel = &interrupt.flag();
  limits.memory = options.input.memory / search_share;
  double seconds_left = options.time_limit;
  const auto use = [&](const std::string& file, const frontend::AnalysedKernel& analysed, size_t left) -> Diagnostics {
    limits.seconds = seconds_left / static_cast<double>(left);
    const auto machine = chosen ? Result<timing::Machine>(*chosen) : timing::machine_for_target(analysed.kernel.target);
    if (!machine) return machine.errors();
    const std::string task = "in the search for bounds of kernel '" + analysed.kernel.name + "'";
    auto kernel = support::isolated(analysed.kernel.location, task,
                                    [&] { return bound_kernel(file, analysed, *machine, options.granted, limits); });
    if (!kernel) return kernel.errors();
    seconds_left = std::max(0.0, seconds_left - seconds_of(kernel->analysis));
    report.kernels.push_back(std::move(*kernel));
    return {};
  };
  report.errors = for_each_kernel(options.input, use);
  if (interrupt.flag()) report.errors.push_back(interruption());
  return report;
}

Outcome analyze(const AnalyzeOptions& options, bool colour) {
  AnalyzeReport report = bound_kernels(options);
  std::string text = options.format == Format::json ? to_json(report) : to_text(report, colour);
  return {std::move(text), std::move(report.errors), options.output};
}

}  // namespace warpspan::app
