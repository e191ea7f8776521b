// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/simulate/simulate_report.hpp"

#include "app/reports/readable.hpp"

namespace warpspan::app {

std::vector<std::string> remarks_of(const SimulatedKernel& kernel) {
  const timing::Simulation& simulation = kernel.simulation;
  std::vector<std::string> remarks = simulation.assumed;
  if (simulation.depends_on_data) remarks.emplace_back("What was executed depended on what memory held.");
  if (simulation.depends_on_arguments)
    remarks.emplace_back("What was executed depended on parameters without a value.");
  if (!simulation.stopped.empty()) remarks.push_back("Not all was executed: " + simulation.stopped);
  if (!simulation.zeroed.empty()) {
    remarks.push_back("Instructions whose results were taken to be 0: " + joined(simulation.zeroed));
  }
  if (!kernel.not_held.empty())
    remarks.push_back("What was executed was not held against what 'warpspan analyze' proves: " + kernel.not_held +
                      ".");
  return remarks;
}

}  // namespace warpspan::app
