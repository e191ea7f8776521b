#include "app/requests/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/facts/contents.hpp"
#include "app/facts/spelling.hpp"
#include "support/digits.hpp"
#include "support/isolated.hpp"
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

std::string place_of(const ir::ListedInstruction& listed, const ir::Kernel& kernel) {
  const std::string offset = "0x" + support::hexadecimal(listed.offset);
  return listed.function == kernel.name ? offset : listed.function + "+" + offset;
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
    line.place = place_of(*listed->second, kernel);
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
      line.awaited = place_of(*other->second, kernel);
    }
  }
  std::vector<SimulatedLine> all;
  for (auto& [number, line] : lines) all.push_back(std::move(line));
  return all;
}

Result<SimulatedKernel> simulation_of(const frontend::AnalyzedKernel& analyzed, const ir::KernelCode& code,
                                      const timing::Machine& machine, const SimulateRequest& request) {
  const ir::Kernel& kernel = analyzed.kernel;
  const std::string name = "kernel " + support::quoted_symbol(kernel.name);
  if (!analyzed.execution) {
    return of_kernel(kernel, name + " is PTX, of which no time is simulated",
                     "give machine code, or {assemble} 'ptxas -O3'");
  }
  if (!analyzed.launch.block)
    return of_kernel(kernel, "the block of " + name + " is not known", "give --block X[,Y[,Z]]");
  const auto load = timing::load_of(kernel, analyzed.launch, machine);
  if (!load) return load.errors();
  const auto contents = contents_for(contents_option, code, analyzed.launch, request.execution);
  if (!contents) return contents.errors();
  const auto execution = analyzed.execution(*contents);
  if (!execution) return execution.errors();
  const auto execution_of_all = analyzed.execution(*contents);
  if (!execution_of_all) return execution_of_all.errors();
  SimulatedKernel made;
  made.name = kernel.name;
  made.machine = machine.name;
  made.description = machine.description;
  made.clock_khz = machine.clock_khz;
  made.is_measured = timing::is_simulation_measured(machine);
  made.block = *analyzed.launch.block;
  made.block_from_file = analyzed.block_from_file;
  made.grid_given = analyzed.launch.grid.has_value();
  made.grid = analyzed.launch.grid.value_or(ir::Extent{});
  made.warps_per_block = load->warps_per_block;
  made.policy = to_string(request.limits.policy);
  auto simulation = timing::simulate({kernel, analyzed.details, made.grid, *load, *execution, *execution_of_all},
                                     machine, request.limits);
  if (!simulation) return simulation.errors();
  made.cycles = std::max<int64_t>(1, std::llround(simulation->cycles));
  made.lines = lines_of(analyzed, simulation->stalls);
  simulation->stalls.clear();
  made.simulation = std::move(*simulation);
  return made;
}

}  // namespace

SimulateReport simulate_kernels(const SimulateRequest& request) {
  SimulateReport report;
  MachineShelf machines;
  KernelRequest kernels = request.kernels;
  if (!request.machine.empty()) {
    const auto& named = machines.find(request.machine, "");
    if (!named) {
      report.errors = named.errors();
      return report;
    }
    kernels.devices = named->targets;
  }
  std::vector<KernelFile> files = read_files(kernels, LoopsAre::not_analyzed).files;
  ReadFiles all;
  for (KernelFile& file : files) all.push_back(&file);
  check_contents(contents_option, request.execution, all);
  for (KernelFile& file : files) {
    for (const frontend::AnalyzedKernel& analyzed : file.kernels) {
      const std::string task = "in the simulation of kernel " + support::quoted_symbol(analyzed.kernel.name);
      auto found = support::isolated(analyzed.kernel.location, task, [&]() -> Result<SimulatedKernel> {
        const auto& machine = machines.find(request.machine, analyzed.kernel.target);
        if (!machine) return machine.errors();
        return simulation_of(analyzed, *code_of(file, analyzed.kernel.name), *machine, request);
      });
      if (!found) {
        file.errors.add(spelled(found.errors()));
        continue;
      }
      found->file = file.name;
      report.kernels.push_back(std::move(*found));
    }
  }
  report.errors = all_errors(files);
  return report;
}

}  // namespace warpspan::app
