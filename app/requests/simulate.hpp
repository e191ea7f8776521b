// SPDX-License-Identifier: GPL-3.0-or-later
// How long launches probably take: what 'warpspan simulate' reports.
#pragma once

#include <string>

#include "app/reports/run_record.hpp"
#include "app/reports/simulate/simulate_report.hpp"
#include "app/requests/expected_time.hpp"
#include "app/requests/kernels/kernel_files.hpp"
#include "app/requests/machine_shelf.hpp"
#include "ir/execution/block_execution.hpp"
#include "timing/simulate/simulate.hpp"

namespace warpspan::app {

// What ExecutionOptions::contents and `pointed` are given by.
inline const std::string contents_option = "--contents";

// "x" and a file: what the array holds when all blocks have been executed.
struct SaveRequest {
  std::string parameter, path;
};
// What SimulateRequest::saved are given by.
inline const std::string save_option = "--save";

struct SimulateRequest {
  KernelRequest kernels;
  std::string machine;  // name or file; empty: the default machine of each kernel's .target
  ir::ExecutionOptions execution;
  timing::SimulationLimits limits;
  SimulationEffort effort = SimulationEffort::full;  // that the limits are of
  // Also the slowest run with the figures of the bound, under these assumptions.
  bool worst_figures = false;
  timing::Grant assumed;
  std::vector<SaveRequest> saved;
  RunRecord run = {};  // command, arguments, and what was read for these
};

// Kernels of PTX, machines without typical figures and launches that do not fit are errors, and so is a run that
// contradicts the analysis: contradiction_errors.
SimulateReport simulate_kernels(const SimulateRequest& request);

}  // namespace warpspan::app
