// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/analyze/kernel_figures.hpp"

#include "app/reports/analyze/headlines.hpp"

namespace warpspan::app {

namespace {

LoopFigure figure_of(const ir::Loop& loop) { return {loop.label, loop.source_file, loop.source_line, loop.trip_count}; }

std::vector<NamedCycles> words_of(const KernelReport& report) {
  std::vector<NamedCycles> words;
  for (size_t i = 0; i < report.instructions.size(); ++i) {
    words.push_back({report.instructions[i].operation, report.analysis.costs[i].cycles()});
  }
  return words;
}

}  // namespace

std::string part_name(std::string_view kind, std::string_view resource) {
  return std::string(kind) + (resource.empty() ? "" : " ") + std::string(resource);
}

bool is_of_source(const KernelFigures& kernel, const LineCost& cost) {
  return cost.file != kernel.file && !cost.file.starts_with("<PTX of ");
}

KernelFigures figures_of(const KernelReport& report) {
  const timing::Analysis& analysis = report.analysis;
  const solver::Bound& bound = *headline_bound(analysis);
  KernelFigures figures;
  figures.file = report.file;
  figures.name = report.name;
  figures.machine = report.machine.name;
  figures.block = report.launch.block.value();
  figures.grid = report.launch.grid;
  figures.clock_khz = report.machine.clock_khz;
  figures.bound = bound.makespan.value();
  figures.usual = analysis.usual;
  figures.nothing = bound_with_nothing(analysis);
  figures.one_warp = analysis.worst;
  figures.instructions = analysis.instructions;
  figures.registers = analysis.load.needs.registers;
  for (const ir::Loop& loop : report.loops) figures.loops.push_back(figure_of(loop));
  for (const solver::Part& part : bound.parts) {
    figures.parts.push_back({part_name(solver::to_string(part.kind), part.name), part.cycles});
  }
  figures.transactions = report.transactions;
  if (!report.lines.empty()) {
    figures.lines = report.lines;
    figures.words = words_of(report);
  }
  figures.assumptions = bound.assumptions;
  figures.expected = report.expected;
  return figures;
}

}  // namespace warpspan::app
