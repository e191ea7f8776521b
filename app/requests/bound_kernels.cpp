// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/bound_kernels.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "app/facts/assumptions.hpp"
#include "app/facts/spelling.hpp"
#include "app/reports/analyze/brief.hpp"
#include "app/reports/analyze/ladder.hpp"
#include "app/reports/analyze/line_costs.hpp"
#include "app/requests/code_view.hpp"
#include "app/requests/kernels/compiled_code.hpp"
#include "app/requests/memory_accesses.hpp"
#include "app/requests/memory_transactions.hpp"
#include "app/requests/report_archive.hpp"
#include "app/requests/request_key.hpp"
#include "app/requests/source_lines.hpp"
#include "app/requests/vast_bound.hpp"
#include "frontend/machine_code.hpp"
#include "support/isolated.hpp"
#include "support/nearest.hpp"
#include "support/symbol_name.hpp"
#include "timing/costs/cost.hpp"
#include "timing/launch/register_pressure.hpp"
#include "timing/warp/waiting.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Result;

constexpr size_t most_at_a_time = 64;  // kernels of a file

// A kernel without a safe bound is an error, whatever else is known about it.
Diagnostic no_bound(const frontend::AnalyzedKernel& analyzed, const timing::Analysis& analysis, const char* model) {
  Diagnostic error;
  error.location = analyzed.kernel.location;
  error.message = "kernel " + support::quoted_symbol(analyzed.kernel.name) + " could not be bounded";
  for (const timing::ModelBound& entry : analysis.bounds) {
    if (entry.model == model && !entry.bound.remark.empty()) error.message += ": " + entry.bound.remark;
  }
  error.help = "give tighter loop bounds or a smaller launch";
  return error;
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

// The launch with what logs report of the code.
struct CodeOfLaunch {
  ir::Launch launch;
  timing::AssumptionSet assumed;
  std::optional<CompiledKernel> compiled = std::nullopt;
};

Result<CodeOfLaunch> code_of(const frontend::AnalyzedKernel& analyzed, const CompiledKernels& figures,
                             const timing::Machine& machine, const BoundRequest& request) {
  CodeOfLaunch code{analyzed.launch, request.assumed.on(machine.usual_assumptions())};
  const ir::Kernel& kernel = analyzed.kernel;
  const bool is_code = kernel.is_machine_code();  // which states by itself what a log can report
  auto compiled =
      find_compiled(request.compiled, is_code ? CompiledKernels() : figures, kernel, analyzed.launch, machine);
  if (!compiled) return compiled.errors();
  if (is_code || !*compiled) return code;
  code.compiled = std::move(*compiled);
  if (auto error = spill_in_log(*code.compiled, kernel.name, kernel.location)) return *error;
  if (auto error = saves_in_code(*code.compiled, kernel)) return *error;
  take_over(*code.compiled, code.launch);
  if (code.compiled->spill == 0) code.assumed.assume(timing::Assumption::no_spills);
  return code;
}

// That nothing is spilled is no assumption where a log reports it; what is taken from logs is taken on trust.
void trust(const CompiledKernel& compiled, const ir::Kernel& kernel, const ir::Launch& launch,
           const timing::Machine& machine, timing::Analysis& analysis) {
  const auto assumed = timing::spill_assumption(kernel, launch, machine, true);
  for (timing::ModelBound& entry : analysis.bounds) {
    if (assumed && compiled.spill) std::erase(entry.bound.assumptions, *assumed);
    timing::add_assumptions(entry.bound, {trust_in(compiled)});
  }
}

// That the bound counts for the whole kernel; no limit where the machine has no figures of fetching code.
int64_t machine_instructions(const timing::Analysis& analysis, const timing::Machine& machine) {
  if (!analysis.fetch || !machine.fetch) return std::numeric_limits<int64_t>::max();
  return analysis.fetch->bytes / (machine.fetch->line / machine.fetch->instructions);
}

// That the default machine is not one of the kernel's target.
std::vector<std::string> stand_in_assumption(const std::string& target) {
  const std::string later(timing::stand_in(target));
  if (later.empty()) return {};
  return {"PTX for " + target + " is bounded as PTX for " + later +
          ": devices of compute capability 1.x are not modelled, and drivers compile their PTX for later ones."};
}

// That no device of the machine runs the code.
std::string other_devices_assumption(const ir::Kernel& kernel, const timing::Machine& machine) {
  const auto runs = [&kernel](const std::string& device) {
    return kernel.is_machine_code() ? runs_on(kernel.target, device) : number_of(device) >= number_of(kernel.target);
  };
  if (machine.targets.empty() || std::any_of(machine.targets.begin(), machine.targets.end(), runs)) return {};
  return (kernel.is_machine_code() ? "Machine code for " : "PTX for ") + kernel.target +
         " does not run on devices of " + support::enumeration(machine.targets) +
         ": what is bounded is the same code for them.";
}

// A kernel with its times, before they are put into a report.
struct TimedKernel {
  std::optional<frontend::AnalyzedKernel> counted;  // with the trip counts of its waits, if it has any
  timing::Analysis analysis;
};

Result<TimedKernel> time_kernel(const frontend::AnalyzedKernel& given, const CompiledKernels& figures,
                                const timing::Machine& machine, const BoundRequest& request,
                                const timing::Limits& limits) {
  TimedKernel timed;
  if (timing::has_given_waits(given.flow)) {
    auto flow = timing::with_wait_trip_counts(given.kernel, given.flow, machine);
    if (!flow) return flow.errors();
    timed.counted = given;
    timed.counted->flow = std::move(*flow);
  }
  const frontend::AnalyzedKernel& analyzed = timed.counted ? *timed.counted : given;
  auto code = code_of(analyzed, figures, machine, request);
  if (!code) return code.errors();
  auto analysis = timing::analyze(analyzed.kernel, analyzed.flow, code->launch, machine, code->assumed,
                                  request.string_model ? std::optional(limits) : std::nullopt, request.advice);
  if (!analysis) return analysis.errors();
  if (code->compiled) {
    const auto error = other_code(*code->compiled, machine_instructions(*analysis, machine), analyzed.kernel.name,
                                  analyzed.kernel.location);
    if (error) return *error;
    trust(*code->compiled, analyzed.kernel, code->launch, machine, *analysis);
  }
  if (request.pipeline_model && headline_bound(*analysis) == nullptr) return no_bound(analyzed, *analysis, "pipeline");
  if (!request.pipeline_model && !string_bracket(*analysis).upper) return no_bound(analyzed, *analysis, "string");
  timed.analysis = std::move(*analysis);
  return timed;
}

// With options as users write them.
std::vector<PlacedAdvice> placed(const ir::Kernel& kernel, std::vector<timing::Advice> advice, const LineOf& line_of) {
  std::vector<PlacedAdvice> all;
  for (timing::Advice& one : advice) {
    one.what = spelled(std::move(one.what));
    PlacedAdvice place{std::move(one)};
    if (place.advice.instruction) {
      const ir::Instruction& instruction = kernel.instructions[*place.advice.instruction];
      place.line = instruction.line;
      if (instruction.source_line > 0) {
        const ir::SourceLine shown = line_of(instruction);
        place.source_file = shown.file;
        place.source_line = shown.line;
      }
    }
    all.push_back(std::move(place));
  }
  return all;
}

// What the lines of a file are told by.
struct FileLines {
  explicit FileLines(const std::shared_ptr<const support::SourceFile>& input, const std::string& root)
      : texts(input), sources(input, root) {}

  LineTexts texts;
  SourceLines sources;
};

Result<KernelReport> report_of(FileLines& lines, const frontend::AnalyzedKernel& given, TimedKernel timed,
                               const timing::Machine& machine, const BoundRequest& request) {
  LineTexts& texts = lines.texts;
  const frontend::AnalyzedKernel& analyzed = timed.counted ? *timed.counted : given;
  timing::Analysis& analysis = timed.analysis;
  const auto is_left_out = [&request](const timing::ModelBound& entry) {
    return entry.model == "pipeline" && !request.pipeline_model;
  };
  std::erase_if(analysis.bounds, is_left_out);
  if (!request.pipeline_model) analysis.costs.clear();
  const ir::Flow flow = std::exchange(analysis.flow, {});
  KernelReport report;
  report.file = texts.input();
  report.name = analyzed.kernel.name;
  report.machine = {machine.name,      machine.description,
                    machine.clock_khz, machine.multiprocessors,
                    machine.max_warps, names_of(machine.usual_assumptions())};
  for (const timing::Backing& backing : machine.usual) report.machine.evidence.push_back(backing.evidence);
  report.launch = analyzed.launch;
  report.block_from_file = analyzed.block_from_file;
  report.loops = analyzed.flow.loops;
  const LineOf line_of = lines.sources.of(analyzed);
  report.lines = line_costs(analyzed.kernel, analysis.costs, texts, line_of);
  report.accesses = memory_accesses(analyzed.kernel, flow, analysis.costs, line_of);
  report.instructions = costly_instructions(analyzed.kernel, analysis.costs);
  report.listing = listed_costs(analyzed.listing, analyzed.kernel, analysis.costs);
  if (request.with_code) report.code = code_view(analyzed.kernel, flow, analyzed.listing, analysis.costs, texts);
  report.advice = placed(analyzed.kernel, std::exchange(analysis.advice, {}), line_of);
  report.analysis = std::move(analysis);
  report.transactions = memory_transactions(analyzed.kernel, flow);
  report.assumed = request.assumed.on(machine.usual_assumptions());
  report.stated = user_assumptions(analyzed);
  report.elsewhere = other_devices_assumption(analyzed.kernel, machine);
  for (timing::ModelBound& entry : report.analysis.bounds) {
    timing::add_assumptions(entry.bound, report.stated);
    timing::add_assumptions(entry.bound, analyzed.assumptions);
    if (request.machine.empty()) timing::add_assumptions(entry.bound, stand_in_assumption(analyzed.kernel.target));
    if (!report.elsewhere.empty()) timing::add_assumptions(entry.bound, {report.elsewhere});
  }
  if (request.inspect) request.inspect({analyzed, flow, machine, report, texts});
  return report;
}

// Bounds the PTX of a kernel whose machine code was bounded, if it was read.
void add_ptx(const KernelFile& file, const std::string& kernel, const timing::Machine& machine,
             const BoundRequest& request, KernelReport& report, RunRecord& run) {
  for (const frontend::FailedKernel& failed : file.ptx.failed) {
    if (failed.name.empty() || failed.name == kernel) report.ptx_errors = failed.errors;
  }
  for (const frontend::AnalyzedKernel& ptx : file.ptx.kernels) {
    if (ptx.kernel.name != kernel) continue;
    FileLines lines(file.ptx.source, request.source_root);
    BoundRequest alone = request;
    alone.compiled = {};
    alone.string_model = false;
    alone.advice = false;
    alone.with_code = false;
    alone.inspect = {};
    auto timed = time_kernel(ptx, file.figures, machine, alone, request.limits);
    auto bounded = timed ? report_of(lines, ptx, std::move(*timed), machine, alone) : timed.errors();
    if (!bounded) {
      report.ptx_errors = spelled(bounded.errors());
      return;
    }
    report.ptx.push_back(std::move(*bounded));
    for (const auto& source : lines.texts.sources()) run.add_input(source->name(), source->bytes());
  }
}

bool refuted(const support::Diagnostics& errors) {
  return std::any_of(errors.begin(), errors.end(), [](const auto& error) { return error.refutes; });
}

// A kernel that is to be bounded.
struct Task {
  KernelFile* file;  // where its errors go
  const frontend::AnalyzedKernel* kernel;
  const timing::Machine* machine;
};

// The kernels that there is a machine for.
std::vector<Task> choose_machines(std::vector<KernelFile>& files, const std::string& name, MachineShelf& machines) {
  std::vector<Task> tasks;
  for (KernelFile& file : files) {
    for (const frontend::AnalyzedKernel& kernel : file.kernels) {
      const auto& machine = machines.find(name, kernel.kernel.target);
      if (machine) {
        tasks.push_back({&file, &kernel, &*machine});
      } else {
        fail(file, kernel.kernel.name, machine.errors());
      }
    }
  }
  return tasks;
}

// Of searches: one kernel after the other, since each takes all cores and a part of the time that is left. Else side by
// side.
std::vector<Result<TimedKernel>> time_all(std::span<const Task> tasks, const BoundRequest& request) {
  timing::Limits limits = request.limits;
  std::vector<support::Piece<TimedKernel>> works;
  for (const Task& task : tasks) {
    const ir::Kernel& kernel = task.kernel->kernel;
    works.push_back({kernel.location, "in the search for bounds of kernel " + support::quoted_symbol(kernel.name),
                     [&] { return time_kernel(*task.kernel, task.file->figures, *task.machine, request, limits); }});
  }
  if (!request.string_model) return support::isolated(works);
  std::vector<Result<TimedKernel>> timed;
  double seconds_left = request.limits.seconds;
  for (size_t i = 0; i < works.size(); ++i) {
    limits.seconds = seconds_left / static_cast<double>(works.size() - i);
    timed.push_back(support::isolated(works[i].at, works[i].task, works[i].work));
    if (timed.back()) seconds_left = std::max(0.0, seconds_left - seconds_of(timed.back()->analysis));
  }
  return timed;
}

// One for each kernel that was timed. They come last: one that lacks memory leaves the bounds as they are.
std::vector<std::optional<ExpectedTime>> expect_all(std::span<const Task> tasks,
                                                    const std::vector<Result<TimedKernel>>& timed,
                                                    const BoundRequest& request) {
  std::vector<std::optional<ExpectedTime>> expected(tasks.size());
  if (!request.expects || !request.pipeline_model) return expected;
  std::vector<std::function<void()>> works;
  std::vector<size_t> places;
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (!timed[i]) continue;
    places.push_back(i);
    works.emplace_back([&, i] {
      const bool is_ended = request.limits.cancel != nullptr && *request.limits.cancel;
      expected[i] = expected_time(*tasks[i].kernel, timed[i]->analysis, *tasks[i].machine,
                                  is_ended ? SimulationEffort::never : request.effort);
    });
  }
  const auto exhausted = support::run_isolated(works);
  for (size_t work = 0; work < works.size(); ++work) {
    const size_t i = places[work];
    if (exhausted[work])
      expected[i] = estimated_time(*tasks[i].kernel, timed[i]->analysis, *tasks[i].machine, "memory ran out");
  }
  return expected;
}

using LinesOfFiles = std::map<const KernelFile*, FileLines>;

// Bounds the kernels within the time for all of them; those that cannot be bounded leave an error in their file.
void bound_within_time(std::span<const Task> tasks, const BoundRequest& request, LinesOfFiles& files, RunRecord& run,
                       KeptList<KernelReport>& reports) {
  std::vector<Result<TimedKernel>> timed = time_all(tasks, request);
  std::vector<std::optional<ExpectedTime>> expected = expect_all(tasks, timed, request);
  for (size_t i = 0; i < tasks.size(); ++i) {
    const Task& task = tasks[i];
    const ir::Kernel& kernel = task.kernel->kernel;
    const auto report_timed = [&]() -> Result<KernelReport> {
      if (!timed[i]) return timed[i].errors();
      FileLines& lines = files.try_emplace(task.file, task.file->source, request.source_root).first->second;
      auto bounded = report_of(lines, *task.kernel, std::move(*timed[i]), *task.machine, request);
      if (!bounded || !request.pipeline_model) return bounded;
      bounded->expected = std::move(expected[i]);
      if (bounded->expected && !request.source_root.empty()) {
        bounded->expected_lines =
            expected_lines(kernel, *bounded->expected, lines.texts, lines.sources.of(*task.kernel));
      }
      add_ptx(*task.file, kernel.name, *task.machine, request, *bounded, run);
      // What the PTX shows to be false is false of its machine code too.
      if (refuted(bounded->ptx_errors)) return bounded->ptx_errors;
      return bounded;
    };
    auto report = support::isolated(kernel.location, "in the report on kernel " + support::quoted_symbol(kernel.name),
                                    report_timed);
    if (!report) {
      fail(*task.file, kernel.name, report.errors());
      continue;
    }
    if (const auto warning = vast_bound(*report)) task.file->errors.add({*warning});
    if (request.brief) make_brief(*report);
    reports.push_back(std::move(*report));
  }
}

// Pages show the code of a file that several kernels share, which each of them would have for itself on a shelf.
bool puts_away(const BoundRequest& request) { return !request.with_code; }

// Of many kernels some after the others, and what is found of them is put away, unless a search is to share its time
// among all. The sources that lines are shown from are inputs, too.
KeptList<KernelReport> bound_some_at_a_time(const std::vector<Task>& tasks, const BoundRequest& request,
                                            RunRecord& run) {
  KeptList<KernelReport> reports;
  LinesOfFiles files;
  const auto shelf = new_shelf<KernelReport>();
  const size_t most = request.string_model ? tasks.size() : most_at_a_time;
  for (size_t begin = 0; begin < tasks.size(); begin += most) {
    const auto some = std::span(tasks).subspan(begin, std::min(most, tasks.size() - begin));
    bound_within_time(some, request, files, run, reports);
    if (tasks.size() > most && puts_away(request)) reports.put_away(shelf);
  }
  for (const auto& [file, lines] : files) {
    for (const auto& source : lines.texts.sources()) run.add_input(source->name(), source->bytes());
  }
  return reports;
}

// All files together. The named machine could be loaded.
FileBounds bound_together(const BoundRequest& request, MachineShelf& machines) {
  FileBounds bounds;
  AnalyzeReport& report = bounds.report;
  KernelRequest kernels = request.kernels;
  kernels.compilation.cancel = request.limits.cancel;
  if (!request.machine.empty()) kernels.devices = machines.find(request.machine, "")->targets;
  if (request.pipeline_model) {
    kernels.hopeless = [&](const ir::Kernel& kernel) -> support::Diagnostics {
      const auto& machine = machines.find(request.machine, kernel.target);
      if (!machine) return machine.errors();
      const auto costs = timing::costs_of(kernel, *machine);
      return costs ? support::Diagnostics() : costs.errors();
    };
  }
  std::vector<KernelFile> files = read_files(kernels).files;
  const std::vector<Task> tasks = choose_machines(files, request.machine, machines);
  for (const KernelFile& file : files) report.run.add(file.run);
  report.kernels = bound_some_at_a_time(tasks, request, report.run);
  for (const KernelFile& file : files) {
    report.failed.insert(report.failed.end(), file.failed.begin(), file.failed.end());
  }
  for (const Task& task : tasks) machines.record(*task.machine, report.run);
  report.errors = all_errors(files);
  bounds.has_no_kernel = files.size() == 1 && files.front().has_no_kernel;
  return bounds;
}

bool is_cancelled(const BoundRequest& request) { return request.limits.cancel != nullptr && *request.limits.cancel; }

}  // namespace

bool is_about_single_files(const BoundRequest& request) {
  bool has_facts = !request.kernels.facts.empty() || !request.kernels.kernels.empty();
  ir::for_each_list(request.kernels.launch, [&](const auto& facts) { has_facts = has_facts || !facts.empty(); });
  return !has_facts && !request.string_model && !request.inspect;
}

FileBounds bound_file(const BoundRequest& request, MachineShelf& machines) {
  return made_or_kept<FileBounds>(request.fleet, key_of(request, machines),
                                  [&] { return bound_together(request, machines); });
}

std::vector<FileBounds> bound_files(const BoundRequest& request, const NamedFiles& files,
                                    const std::vector<size_t>& numbers, MachineShelf& machines) {
  const std::function<FileBounds(size_t)> bound = [&](size_t i) {
    const size_t number = numbers[i];
    BoundRequest own = request;
    own.kernels.files = {files.paths[number]};
    FileBounds bounds = bound_file(own, machines);
    bounds.file = files.paths[number];
    bounds.in_folder = files.in_folder[number];
    return bounds;
  };
  std::map<size_t, FileBounds> bounded;
  const auto shelf = new_shelf<KernelReport>();
  make_each<FileBounds>(request.fleet, "files", numbers.size(), bound, [&](size_t i, FileBounds one) {
    if (numbers.size() > 1 && puts_away(request)) one.report.kernels.put_away(shelf);
    bounded.emplace(i, std::move(one));
  });
  std::vector<FileBounds> in_order;
  for (auto& [i, one] : bounded) in_order.push_back(std::move(one));
  return in_order;
}

AnalyzeReport joined_files(std::vector<FileBounds> files) {
  AnalyzeReport all;
  support::Diagnostics notes;
  const auto is_left_out = [](const FileBounds& file) { return file.in_folder && file.has_no_kernel; };
  const size_t left_out = static_cast<size_t>(std::count_if(files.begin(), files.end(), is_left_out));
  for (FileBounds& file : files) {
    if (is_left_out(file) && left_out < files.size()) {
      notes.push_back(without_kernel(file.file));
      continue;
    }
    AnalyzeReport& report = file.report;
    all.kernels.append(std::move(report.kernels));
    std::move(report.failed.begin(), report.failed.end(), std::back_inserter(all.failed));
    std::move(report.errors.begin(), report.errors.end(), std::back_inserter(all.errors));
    all.run.add(report.run);
  }
  all.errors.insert(all.errors.end(), notes.begin(), notes.end());
  return all;
}

AnalyzeReport bound_kernels(const BoundRequest& request) {
  MachineShelf machines;
  return bound_kernels(request, machines);
}

AnalyzeReport bound_kernels(const BoundRequest& request, MachineShelf& machines) {
  if (!request.machine.empty()) {
    const auto& named = machines.find(request.machine, "");
    if (!named) {
      AnalyzeReport report;
      report.errors = named.errors();
      return report;
    }
  }
  const NamedFiles files = named_files(request.kernels.files);
  AnalyzeReport report;
  if (files.errors.empty() && (files.paths.size() == 1 || is_about_single_files(request))) {
    std::vector<size_t> numbers(files.paths.size());
    std::iota(numbers.begin(), numbers.end(), size_t{0});
    report = joined_files(bound_files(request, files, numbers, machines));
  } else {
    report = bound_together(request, machines).report;  // never kept: which files a word means may change
  }
  if (is_cancelled(request)) report.errors.push_back(interruption());
  return report;
}

}  // namespace warpspan::app
