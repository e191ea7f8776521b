// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/simulate.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "app/facts/contents.hpp"
#include "app/facts/parameter_checks.hpp"
#include "app/reports/analyze/ladder.hpp"
#include "app/reports/diagnostics.hpp"
#include "app/requests/contradiction_errors.hpp"
#include "app/requests/kernels_alone.hpp"
#include "ir/execution/contradictions.hpp"
#include "ir/sentences.hpp"
#include "support/symbol_name.hpp"
#include "timing/simulate/figures.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Result;

Diagnostic of_kernel(const ir::Kernel& kernel, const std::string& message, const std::string& help) {
  Diagnostic error = support::usage_error(message, help);
  error.location = kernel.location;
  return error;
}

// Those that were issued, in the order of the code; the copies of one together.
std::vector<SimulatedLine> lines_of(const frontend::AnalyzedKernel& analyzed,
                                    const std::vector<timing::InstructionStalls>& stalls) {
  const ir::Kernel& kernel = analyzed.kernel;
  std::map<uint32_t, const ir::ListedInstruction*> listing;
  for (const ir::ListedInstruction& listed : analyzed.listing) listing.emplace(listed.line, &listed);
  std::map<uint32_t, SimulatedLine> lines;
  std::map<uint32_t, double> longest;
  for (ir::InstructionId id = 0; id < stalls.size(); ++id) {
    const timing::InstructionStalls& row = stalls[id];
    const auto listed = listing.find(kernel.instructions[id].line);
    if (row.issued + row.sum() <= 0 || listed == listing.end()) continue;
    SimulatedLine& line = lines[listed->first];
    line.place = ir::place_of(*listed->second, kernel.name);
    line.text = listed->second->text;
    line.source_file = listed->second->source_file;
    line.source_line = listed->second->source_line;
    line.issued += row.issued;
    line.cycles += row.issued + row.sum();
    for (size_t i = 0; i < timing::stalls; ++i) line.stalls[i] += row.cycles[i];
    for (const auto& [awaited, cycles] : row.awaited) {
      const auto other = listing.find(kernel.instructions[awaited].line);
      if (cycles <= longest[listed->first] || other == listing.end()) continue;
      longest[listed->first] = cycles;
      line.awaited = ir::place_of(*other->second, kernel.name);
    }
  }
  std::vector<SimulatedLine> all;
  for (auto& [number, line] : lines) all.push_back(std::move(line));
  return all;
}

// What the timeline shows of the instructions in it.
std::map<ir::InstructionId, std::string> placed_spans(const frontend::AnalyzedKernel& analyzed,
                                                      const timing::Timeline& timeline) {
  std::map<uint32_t, const ir::ListedInstruction*> listing;
  for (const ir::ListedInstruction& listed : analyzed.listing) listing.emplace(listed.line, &listed);
  std::map<ir::InstructionId, std::string> placed;
  for (const timing::Timeline::Row& row : timeline.rows) {
    for (const timing::Timeline::Span& span : row.spans) {
      const auto listed = listing.find(analyzed.kernel.instructions[span.instruction].line);
      if (listed == listing.end()) continue;
      placed.emplace(span.instruction,
                     ir::place_of(*listed->second, analyzed.kernel.name) + " " + listed->second->text);
    }
  }
  return placed;
}

// Why what a kernel does is not held against what was found out about it; empty: it is.
std::string why_not_held(const frontend::AnalyzedKernel& analyzed, const timing::Simulation& simulation) {
  if (analyzed.flow.blocks.empty()) return "the kernel could not be analyzed";
  if (!simulation.zeroed.empty()) return "results of some instructions are not known";
  if (simulation.uniform_apart) return "lanes that have diverged change each other's uniform registers";
  const auto& assumed = analyzed.assumptions;
  if (std::find(assumed.begin(), assumed.end(), ir::masks_do_not_part) != assumed.end())
    return "lanes with other masks of WARPSYNC are executed apart";
  if (!analyzed.flow.trusted_variables.empty()) return "variables did not hold what the file initialises them with";
  return "";
}

// One kernel, and what is said of it.
class Simulated {
 public:
  Simulated(const frontend::AnalyzedKernel& analyzed, const ir::KernelCode& code, const SimulateRequest& request)
      : analyzed_(analyzed), code_(code), request_(request) {}

  Result<SimulatedKernel> run(const timing::Machine& machine);
  // Of the run: what contradicts the analysis.
  const support::Diagnostics& contradictions() const { return contradictions_; }

 private:
  Result<timing::SlowestRun> slowest_of(const timing::Machine& machine, const timing::Load& load,
                                        const ir::ExecutionOptions& contents,
                                        const timing::AssumptionSet& assumed) const;
  Diagnostic above_bound(const timing::SlowestRun& slowest) const;
  std::string command() const { return command_line(request_.run); }

  const frontend::AnalyzedKernel& analyzed_;
  const ir::KernelCode& code_;
  const SimulateRequest& request_;
  support::Diagnostics contradictions_;
};

Result<SimulatedKernel> Simulated::run(const timing::Machine& machine) {
  const ir::Kernel& kernel = analyzed_.kernel;
  const std::string name = "kernel " + support::quoted_symbol(kernel.name);
  if (!analyzed_.execution) {
    return of_kernel(kernel, name + " is PTX, of which no time is simulated",
                     "give machine code, or {assemble} 'ptxas -O3'");
  }
  if (!analyzed_.launch.block)
    return of_kernel(kernel, "the block of " + name + " is not known", "give --block X[,Y[,Z]]");
  const auto load = timing::load_of(kernel, analyzed_.launch, machine);
  if (!load) return load.errors();
  const auto contents = contents_for(contents_option, code_, analyzed_.launch, request_.execution);
  if (!contents) return contents.errors();
  const auto execution = analyzed_.execution(*contents);
  if (!execution) return execution.errors();
  std::optional<ir::ContradictionSearch> search;
  if (!analyzed_.flow.blocks.empty()) search.emplace(kernel, analyzed_.flow, analyzed_.launch, execution->arrays);
  const auto run_block = [&](int64_t block) {
    ir::BlockTrace trace = (*execution)(block);
    if (search) search->hold(trace);
    return trace;
  };
  auto simulation =
      timing::simulate(simulated_launch(analyzed_, *load, run_block, *contents), machine, request_.limits);
  if (!simulation) return simulation.errors();
  SimulatedKernel made;
  made.name = kernel.name;
  made.machine = machine.name;
  made.description = machine.description;
  made.clock_khz = machine.clock_khz;
  made.is_measured = timing::is_simulation_measured(machine);
  made.expected = expected_by(*simulation, machine, request_.effort);
  made.block = *analyzed_.launch.block;
  made.block_from_file = analyzed_.block_from_file;
  made.grid_given = analyzed_.launch.grid.has_value();
  made.grid = analyzed_.launch.grid.value_or(ir::Extent{});
  made.warps_per_block = load->warps_per_block;
  made.policy = to_string(request_.limits.policy);
  made.lines = lines_of(analyzed_, simulation->stalls);
  made.placed = placed_spans(analyzed_, simulation->timeline);
  simulation->stalls.clear();
  made.not_held = why_not_held(analyzed_, *simulation);
  if (request_.worst_figures) {
    const timing::AssumptionSet assumed = request_.assumed.on(machine.usual_assumptions());
    auto slowest = slowest_of(machine, *load, *contents, assumed);
    if (!slowest) return slowest.errors();
    made.slowest = *slowest;
    made.assumed = names_of(assumed);
  }
  if (search && made.not_held.empty()) contradictions_ = contradiction_errors(analyzed_, search->found(), command());
  const bool is_above = made.slowest && made.slowest->bound && made.slowest->analysed > *made.slowest->bound;
  if (is_above && !simulation->uniform_apart) contradictions_.push_back(above_bound(*made.slowest));
  made.simulation = std::move(*simulation);
  return made;
}

// Blocks are executed anew, from what memory held before.
Result<timing::SlowestRun> Simulated::slowest_of(const timing::Machine& machine, const timing::Load& load,
                                                 const ir::ExecutionOptions& contents,
                                                 const timing::AssumptionSet& assumed) const {
  const auto execution = analyzed_.execution(contents);
  if (!execution) return execution.errors();
  return timing::slowest_run(simulated_launch(analyzed_, load, *execution, contents), analyzed_.flow, machine, assumed);
}

Diagnostic Simulated::above_bound(const timing::SlowestRun& slowest) const {
  Diagnostic error =
      support::internal_error("warpspan is wrong about kernel " + support::quoted_symbol(analyzed_.kernel.name) +
                              ": a run with the figures of " + "its bound takes " + std::to_string(slowest.analysed) +
                              " cycles, and the bound is " + std::to_string(*slowest.bound));
  error.location = analyzed_.kernel.location;
  error.help = "either is wrong; report the file and the command: " + command();
  return error;
}

// --- What arrays hold in the end.

struct SavedKernel {
  const frontend::AnalyzedKernel* analyzed;
  const ir::KernelCode* code;
};

Diagnostic not_saved(const std::string& why, const std::string& help = "") {
  return support::usage_error(save_option + ": " + why, help);
}

// The arrays of one kernel, by the names that its code has for them.
Result<std::vector<std::pair<std::string, int64_t>>> arrays_to_save(const SavedKernel& kernel,
                                                                    const std::vector<SaveRequest>& saved) {
  std::vector<std::pair<std::string, int64_t>> arrays;
  for (const SaveRequest& each : saved) {
    const auto name = pointer_named(*kernel.code, each.parameter);
    const auto& buffers = kernel.analyzed->launch.buffers;
    const auto is_named = [&name](const ir::Buffer& buffer) { return buffer.parameter == name; };
    const auto buffer = std::find_if(buffers.begin(), buffers.end(), is_named);
    if (buffer == buffers.end()) {
      return not_saved("the size of array '" + each.parameter + "' is not known",
                       "give --buffer " + each.parameter + "=BYTES");
    }
    arrays.emplace_back(*name, buffer->bytes);
  }
  return arrays;
}

// Executes all blocks once more, each once and in their order.
Result<std::vector<SavedArray>> saved_arrays(const SavedKernel& kernel, const SimulateRequest& request) {
  const frontend::AnalyzedKernel& analyzed = *kernel.analyzed;
  const auto arrays = arrays_to_save(kernel, request.saved);
  if (!arrays) return arrays.errors();
  const auto contents = contents_for(contents_option, *kernel.code, analyzed.launch, request.execution);
  if (!contents) return contents.errors();
  const auto execution = analyzed.execution(*contents);
  if (!execution) return execution.errors();
  const int64_t blocks = *analyzed.launch.grid.value_or(ir::Extent{}).count().value();
  for (int64_t block = 0; block < blocks; ++block) {
    const ir::BlockTrace trace = (*execution)(block);
    if (!trace.stopped.empty())
      return not_saved("block " + std::to_string(block) + " was not executed to its end: " + trace.stopped);
    if (!trace.zeroed.empty())
      return not_saved("it is not known what " + trace.zeroed.front() + " computes, so neither is what arrays hold");
  }
  std::vector<SavedArray> saved;
  for (size_t i = 0; i < arrays->size(); ++i) {
    const auto& [name, bytes] = (*arrays)[i];
    const auto is_named = [&name = name](const auto& array) { return array.parameter == name; };
    const auto array = std::find_if(execution->arrays.begin(), execution->arrays.end(), is_named);
    if (array == execution->arrays.end()) return not_saved("'" + name + "' is no array");
    saved.push_back({request.saved[i].path, execution->memory(array->address, bytes)});
  }
  return saved;
}

void save_arrays(const std::vector<KernelFile>& files, const SimulateRequest& request, SimulateReport& report) {
  std::vector<SavedKernel> kernels;
  for (const KernelFile& file : files) {
    for (const frontend::AnalyzedKernel& analyzed : file.kernels)
      kernels.push_back({&analyzed, code_of(file, analyzed.kernel.name)});
  }
  if (request.saved.empty() || kernels.empty() || has_error(report.errors)) return;
  Result<std::vector<SavedArray>> saved = kernels.size() == 1
                                              ? saved_arrays(kernels.front(), request)
                                              : not_saved("there are several kernels", "choose one with --kernel NAME");
  if (saved)
    report.saved = std::move(*saved);
  else
    report.errors.insert(report.errors.end(), saved.errors().begin(), saved.errors().end());
}

void check_saved(const SimulateRequest& request, const ReadFiles& files) {
  std::vector<ir::Buffer> named;
  for (const SaveRequest& each : request.saved) named.push_back({each.parameter, 0, {}, {save_option}});
  check_pointers(named, files);
}

// With what was found out about them, where it could be.
std::vector<KernelFile> files_of(const KernelRequest& kernels, bool bounded) {
  if (bounded) return read_files(kernels, LoopsAre::bounded).files;
  std::vector<KernelFile> files = read_files(kernels, LoopsAre::as_found).files;
  const support::Diagnostics errors = all_errors(files);
  const auto is_no_bound = [](const Diagnostic& each) { return is_error(each) && each.cause != support::Cause::usage; };
  if (std::any_of(errors.begin(), errors.end(), is_no_bound)) return read_files(kernels, LoopsAre::not_analyzed).files;
  return files;
}

}  // namespace

SimulateReport simulate_kernels(const SimulateRequest& request) {
  SimulateReport report;
  report.run = request.run;
  MachineShelf machines;
  KernelRequest kernels = request.kernels;
  report.errors = take_devices(machines, request.machine, kernels);
  if (!report.errors.empty()) return report;
  std::vector<KernelFile> files = files_of(kernels, request.worst_figures);
  ReadFiles all;
  for (KernelFile& file : files) {
    all.push_back(&file);
    report.run.add(file.run);
  }
  check_contents(contents_option, request.execution, all);
  check_saved(request, all);
  const auto ask = [&](const KernelOnMachine& on) -> Result<SimulatedKernel> {
    Simulated simulated(on.analyzed, *code_of(on.file, on.analyzed.kernel.name), request);
    auto found = simulated.run(on.machine);
    if (!found) return found;
    const support::Diagnostics contradictions = spelled(simulated.contradictions());
    on.remarks.insert(on.remarks.end(), contradictions.begin(), contradictions.end());
    machines.record(on.machine, report.run);
    found->file = on.file.name;
    return found;
  };
  report.kernels = ask_of_files<SimulatedKernel>(files, machines, request.machine, "in the simulation", ask);
  report.errors = all_errors(files);
  save_arrays(files, request, report);
  return report;
}

}  // namespace warpspan::app
