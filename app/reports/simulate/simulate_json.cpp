// SPDX-License-Identifier: GPL-3.0-or-later
// {"schema": "warpspan.simulate/1", "kernels": [...], "errors": [...], "warnings": [...], "version", "status"};
// errors, warnings and status as in analyze_json.cpp. A kernel, all of it an estimate that no run need keep to:
//   "file", "name", "demangled", "machine", "measured": whether the machine's typical figures are
//   "block", "grid"     [x, y, z]; "grid" is null where none was given: one block alone on the device
//   "scheduler"         "greedy-then-youngest", "greedy-then-oldest" or "round-robin"
//   "expected"          as of analyze (expected_json.hpp)
//   "simulated"          {"blocks", "of": blocks of the multiprocessor, "resident", "multiprocessors", "instructions",
//                       "cycles": what the rest was extrapolated from}
//   "occupancy", "issue"  parts in millionths: of the warps on average, of the issue slots
//   "busy"              {"integer": part in millionths, ...}: of the time that schedulers' units were held
//   "sectors"           {"loaded", "beyond_l1", "from_memory", "stored"}: of the multiprocessor
//   "instructions"      [{"place", "text", "source_file", "source_line": 0 if unknown, "issued", "cycles",
//                       "stalls": {"memory": cycles, ...} without those that are 0, "awaited": a place, or ""}]
//   "zeroed"            instructions whose results were taken to be 0
//   "stopped"           why not all was executed; "" if it was
//   "depends_on_data"   whether what was executed depended on what memory held
//   "depends_on_arguments"  the same of parameters that have no value
//   "slowest"           with the figures of the bound, where they were asked for, else null: {"cycles", "order": the
//                       slowest, "orders": {"youngest": cycles, ...}, "usual": cycles of greedy-then-youngest,
//                       "blocks", "of": blocks of the multiprocessor, "assumed": names, "bound": null if there is none}
//   "not_held"          why what was executed was not held against what 'warpspan analyze' proves; "" if it was
//   "assumptions"       sentences
#include <cmath>

#include "app/reports/exit_status.hpp"
#include "app/reports/expected_json.hpp"
#include "app/reports/simulate/simulate_formats.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

int64_t whole(double value) { return static_cast<int64_t>(std::llround(value)); }
int64_t millionths(double share) { return whole(share * 1e6); }

Json line_json(const SimulatedLine& line) {
  Json waits = Json::object();
  for (size_t i = 0; i < timing::stalls; ++i) {
    if (line.stalls[i] > 0) waits[std::string(to_string(static_cast<timing::Stall>(i)))] = whole(line.stalls[i]);
  }
  return {{"place", line.place},
          {"text", line.text},
          {"source_file", line.source_file},
          {"source_line", line.source_line},
          {"issued", whole(line.issued)},
          {"cycles", whole(line.cycles)},
          {"stalls", waits},
          {"awaited", line.awaited}};
}

Json slowest_json(const SimulatedKernel& kernel) {
  if (!kernel.slowest) return nullptr;
  const timing::SlowestRun& slowest = *kernel.slowest;
  Json orders = Json::object();
  for (size_t i = 0; i < timing::issue_orders; ++i)
    orders[std::string(to_string(static_cast<timing::IssueOrder>(i)))] = slowest.cycles[i];
  return {{"cycles", slowest.longest()}, {"order", to_string(slowest.slowest)}, {"orders", orders},
          {"usual", slowest.usual()},    {"blocks", slowest.simulated_blocks},  {"of", slowest.blocks},
          {"assumed", kernel.assumed},   {"bound", or_null(slowest.bound)}};
}

Json kernel_json(const SimulatedKernel& kernel) {
  const timing::Simulation& simulation = kernel.simulation;
  Json busy = Json::object();
  for (size_t unit = 1; unit < timing::units_of_scheduler; ++unit) {
    busy[std::string(to_string(static_cast<timing::SimulatedUnit>(unit)))] = millionths(simulation.busy[unit]);
  }
  Json lines = Json::array();
  for (const SimulatedLine& line : kernel.lines) lines.push_back(line_json(line));
  const std::optional<ir::Extent> grid = kernel.grid_given ? std::optional(kernel.grid) : std::nullopt;
  return {{"file", kernel.file},
          {"name", kernel.name},
          {"demangled", support::demangled(kernel.name)},
          {"machine", kernel.machine},
          {"measured", kernel.is_measured},
          {"block", extent_to_json(kernel.block)},
          {"grid", extent_to_json(grid)},
          {"scheduler", kernel.policy},
          {"expected", expected_to_json(kernel.expected, kernel.clock_khz)},
          {"simulated",
           {{"blocks", simulation.simulated_blocks},
            {"of", simulation.blocks},
            {"resident", simulation.resident},
            {"multiprocessors", whole(simulation.multiprocessors)},
            {"instructions", whole(simulation.instructions)},
            {"cycles", whole(simulation.simulated_cycles)}}},
          {"occupancy", millionths(simulation.occupancy)},
          {"issue", millionths(simulation.issue)},
          {"busy", busy},
          {"sectors",
           {{"loaded", whole(simulation.traffic.loaded)},
            {"beyond_l1", whole(simulation.traffic.beyond_l1)},
            {"from_memory", whole(simulation.traffic.from_memory)},
            {"stored", whole(simulation.traffic.stored)}}},
          {"instructions", lines},
          {"zeroed", simulation.zeroed},
          {"stopped", simulation.stopped},
          {"depends_on_data", simulation.depends_on_data},
          {"depends_on_arguments", simulation.depends_on_arguments},
          {"slowest", slowest_json(kernel)},
          {"not_held", kernel.not_held},
          {"assumptions", simulation.assumed}};
}

}  // namespace

std::string to_json(const SimulateReport& report, const TextStyle&) {
  Json kernels = Json::array();
  for (const SimulatedKernel& kernel : report.kernels) kernels.push_back(kernel_json(kernel));
  return dump({{"schema", "warpspan.simulate/1"},
               {"kernels", kernels},
               {"errors", errors_to_json(report.errors)},
               {"warnings", warnings_to_json(report.errors)},
               {"version", program_version()},
               {"status", to_string(exit_status(report.errors))}});
}

}  // namespace warpspan::app
