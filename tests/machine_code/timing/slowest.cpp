// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/machine_code/timing/slowest.hpp"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "ir/execution/contradictions.hpp"
#include "timing/simulate/slowest_run.hpp"

namespace warpspan::machine_code {

namespace {

std::string text_of(const frontend::AnalyzedKernel& analyzed, const ir::Contradiction& found) {
  return "contradiction of kind " + std::to_string(static_cast<int>(found.of)) + " in line " +
         std::to_string(analyzed.kernel.instructions[found.instruction].line) + ": " + std::to_string(found.happened) +
         ", proven " + std::to_string(found.proven);
}

}  // namespace

SlowestCheck check_slowest(const frontend::AnalyzedKernel& analyzed, const timing::Machine& machine,
                           const SlowestOptions& options) {
  SlowestCheck check;
  const auto load = timing::load_of(analyzed.kernel, analyzed.launch, machine);
  for (const NamedRung& rung : options.rungs) {
    const auto execution = analyzed.execution({options.contents, {}, options.most_steps});
    if (!execution || !load) return check;
    ir::ContradictionSearch search(analyzed.kernel, analyzed.flow, analyzed.launch, execution->arrays);
    bool is_known = true;
    const auto trace = [&](int64_t block) {
      ir::BlockTrace executed = (*execution)(block);
      is_known = is_known && executed.zeroed.empty() && !executed.uniform_apart;
      search.hold(executed);
      for (const ir::WarpTrace& warp : executed.warps)
        check.warp_instructions += static_cast<int64_t>(warp.steps.size());
      return executed;
    };
    const auto slowest = timing::slowest_run(
        {analyzed.kernel, analyzed.details, analyzed.launch.grid.value_or(ir::Extent{}), *load, trace, trace},
        analyzed.flow, machine, rung.assumed, {options.instructions});
    if (!slowest) continue;
    if (is_known && check.contradictions.empty()) {
      for (const ir::Contradiction& each : search.found()) check.contradictions.push_back(text_of(analyzed, each));
    }
    check.runs += static_cast<int64_t>(timing::issue_orders);
    if (slowest->bound)
      check.found.push_back({rung.name, slowest->analysed, *slowest->bound,
                             "slowest run, of the orders " + std::string(to_string(slowest->slowest))});
  }
  return check;
}

ir::Launch told_launch(const TimedKernel& kernel, bool of_machine_code) {
  ir::Launch launch;
  launch.block = kernel.block;
  if (kernel.tells_grid) launch.grid = kernel.grid;
  for (size_t i = 0; i < kernel.values.size(); ++i) {
    if (kernel.told[i])
      launch.arguments.push_back(
          {of_machine_code ? std::to_string(i) : kernel.parameters[i], std::to_string(kernel.values[i])});
  }
  if (kernel.buffer_bytes > 0)
    launch.buffers.push_back({of_machine_code ? "0" : kernel.parameters.front(), kernel.buffer_bytes});
  if (kernel.registers > 0 && !of_machine_code) launch.registers = kernel.registers;
  return launch;
}

void SlowestTally::add(const std::string& name, const SlowestCheck& check) {
  if (check.found.empty()) {
    ++refused;
    ++refusals[check.runs == 0 ? "(no run)" : "(no bound)"];
    return;
  }
  ++compared;
  runs += check.runs;
  warp_instructions += check.warp_instructions;
  bounds += static_cast<int64_t>(check.found.size());
  for (const Excess& each : check.found) {
    nearest[each.rung] = std::max(nearest[each.rung], each.ratio());
    if (each.run > each.bound) {
      violations.push_back(name + ": run " + std::to_string(each.run) + ", bound " + std::to_string(each.bound) + " (" +
                           each.rung + "; " + each.how + ")");
    }
  }
  for (const std::string& what : check.contradictions) violations.push_back(name + ": " + what);
}

std::string SlowestTally::text() const {
  std::ostringstream out;
  out << std::fixed << std::setprecision(3) << "compiled " << compiled << ", compared " << compared << ", refused "
      << refused << "; bounds " << bounds << ", runs " << runs << " of " << warp_instructions
      << " warp instructions; above the bound of machine code " << violations.size() << ", nearest";
  for (const auto& [rung, ratio] : nearest) out << " " << rung << " " << ratio;
  out << "\n";
  for (const auto& [reason, times] : refusals) out << "  refused " << times << " times: " << reason << "\n";
  for (const std::string& what : violations) out << "  VIOLATION " << what << "\n";
  return out.str();
}

}  // namespace warpspan::machine_code
