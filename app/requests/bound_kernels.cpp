#include "app/requests/bound_kernels.hpp"

#include <algorithm>
#include <map>

#include "app/reports/line_costs.hpp"
#include "support/isolated.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Result;

// A kernel without a safe bound is an error, whatever else is known about it.
Diagnostic no_bound(const frontend::AnalyzedKernel& analyzed, const timing::Analysis& analysis) {
  Diagnostic error;
  error.location = analyzed.kernel.location;
  error.message = "kernel '" + analyzed.kernel.name + "' could not be bounded";
  for (const timing::ModelBound& entry : analysis.bounds) {
    if (entry.model == "pipeline" && !entry.bound.remark.empty()) error.message += ": " + entry.bound.remark;
  }
  error.help = "give tighter loop bounds or a smaller launch";
  return error;
}

constexpr const char* full_block =
    "Every block has as many threads as .maxntid allows: with fewer, loops may run more often.";

// .maxntid allows smaller blocks than the one that is analyzed.
bool assumes_full_block(const frontend::AnalyzedKernel& analyzed) {
  return analyzed.block_from_file && analyzed.kernel.launch_bounds.required.x == 0;
}

std::string trips_assumption(const ir::Loop& loop) {
  const int64_t trips = loop.trip_count.value_or(1);
  return "The loop at '" + loop.label + "' (line " + std::to_string(loop.line) + ") runs at most " +
         std::to_string(trips) + (trips == 1 ? " time" : " times") + " each time it is entered (--loop-bound).";
}

// What every bound rests on that was said of the kernel and its launch, and is not proven; each once.
std::vector<std::string> assumptions_of(const frontend::AnalyzedKernel& analyzed) {
  std::vector<std::string> result;
  if (assumes_full_block(analyzed)) result.emplace_back(full_block);
  for (const ir::Loop& loop : analyzed.flow.loops) {
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

Result<KernelReport> bound_kernel(LineTexts& texts, const frontend::AnalyzedKernel& analyzed,
                                  const timing::Machine& machine, const timing::AssumptionSet& granted,
                                  const std::optional<timing::Limits>& string_limits) {
  auto analysis = timing::analyze(analyzed.kernel, analyzed.flow, analyzed.launch, machine, granted, string_limits);
  if (!analysis) return analysis.errors();
  if (headline_bound(*analysis) == nullptr) return no_bound(analyzed, *analysis);
  KernelReport report;
  report.file = texts.input();
  report.name = analyzed.kernel.name;
  report.machine = {machine.name, machine.description, machine.clock_khz, machine.multiprocessors};
  report.launch = analyzed.launch;
  report.block_from_file = analyzed.block_from_file;
  report.loops = analyzed.flow.loops;
  report.lines = line_costs(analyzed.kernel, analysis->costs, texts);
  report.instructions = costly_instructions(analyzed.kernel, analysis->costs);
  report.analysis = std::move(*analysis);
  const std::vector<std::string> assumptions = assumptions_of(analyzed);
  for (timing::ModelBound& entry : report.analysis.bounds) {
    entry.bound.assumptions.insert(entry.bound.assumptions.end(), assumptions.begin(), assumptions.end());
  }
  return report;
}

// The machine that a request names, or else those of the kernels' targets, each loaded once.
class Machines {
 public:
  explicit Machines(std::string name) : name_(std::move(name)) {}

  const Result<timing::Machine>& for_target(const std::string& target) {
    const std::string& key = name_.empty() ? target : name_;
    const auto known = loaded_.find(key);
    if (known != loaded_.end()) return known->second;
    return loaded_.emplace(key, name_.empty() ? timing::machine_for_target(target) : timing::load_machine(name_))
        .first->second;
  }

 private:
  std::string name_;
  std::map<std::string, Result<timing::Machine>> loaded_;
};

// A kernel that is to be bounded.
struct Task {
  KernelFile* file;  // where its errors go
  const frontend::AnalyzedKernel* kernel;
  const timing::Machine* machine;
};

// The kernels that there is a machine for.
std::vector<Task> choose_machines(std::vector<KernelFile>& files, Machines& machines) {
  std::vector<Task> tasks;
  for (KernelFile& file : files) {
    for (const frontend::AnalyzedKernel& kernel : file.kernels) {
      const auto& machine = machines.for_target(kernel.kernel.target);
      if (machine) {
        tasks.push_back({&file, &kernel, &*machine});
      } else {
        file.errors.add(machine.errors());
      }
    }
  }
  return tasks;
}

// Bounds the kernels within the time for all of them; those that cannot be bounded leave an error in their file.
std::vector<KernelReport> bound_within_time(const std::vector<Task>& tasks, const BoundRequest& request) {
  std::vector<KernelReport> reports;
  timing::Limits limits = request.limits;
  double seconds_left = request.limits.seconds;
  size_t kernels_left = tasks.size();
  std::map<const KernelFile*, LineTexts> texts;
  for (const Task& task : tasks) {
    limits.seconds = seconds_left / static_cast<double>(kernels_left--);
    const ir::Kernel& kernel = task.kernel->kernel;
    auto report = support::isolated(kernel.location, "in the search for bounds of kernel '" + kernel.name + "'", [&] {
      LineTexts& lines = texts.try_emplace(task.file, task.file->source).first->second;
      return bound_kernel(lines, *task.kernel, *task.machine, request.granted,
                          request.string_model ? std::optional(limits) : std::nullopt);
    });
    if (!report) {
      task.file->errors.add(report.errors());
      continue;
    }
    seconds_left = std::max(0.0, seconds_left - seconds_of(report->analysis));
    reports.push_back(std::move(*report));
  }
  return reports;
}

}  // namespace

AnalyzeReport bound_kernels(const BoundRequest& request) {
  AnalyzeReport report;
  Machines machines(request.machine);
  if (!request.machine.empty()) {
    const auto& named = machines.for_target("");
    if (!named) {
      report.errors = named.errors();
      return report;
    }
  }
  std::vector<KernelFile> files = read_files(request.kernels);
  const std::vector<Task> tasks = choose_machines(files, machines);
  report.kernels = bound_within_time(tasks, request);
  report.errors = all_errors(files);
  if (request.limits.cancel != nullptr && *request.limits.cancel) report.errors.push_back(interruption());
  return report;
}

}  // namespace warpspan::app
