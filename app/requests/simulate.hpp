// How long launches probably take: what 'warpspan simulate' reports.
#pragma once

#include <string>

#include "app/reports/simulate/simulate_report.hpp"
#include "app/requests/expected_time.hpp"
#include "app/requests/kernels/kernel_files.hpp"
#include "app/requests/machine_shelf.hpp"
#include "ir/execution/block_execution.hpp"
#include "timing/simulate/simulate.hpp"

namespace warpspan::app {

struct SimulateRequest {
  KernelRequest kernels;
  std::string machine;  // name or file; empty: the default machine of each kernel's .target
  ir::ExecutionOptions execution;
  timing::SimulationLimits limits;
  SimulationEffort effort = SimulationEffort::full;  // that the limits are of
};

// Kernels of PTX, machines without typical figures and launches that do not fit are errors.
SimulateReport simulate_kernels(const SimulateRequest& request);

}  // namespace warpspan::app
