// SPDX-License-Identifier: GPL-3.0-or-later
// How many blocks a multiprocessor holds: what 'warpspan occupancy' reports.
#pragma once

#include <string>

#include "app/reports/occupancy/occupancy_report.hpp"
#include "app/requests/kernels/compiled_kernels.hpp"
#include "app/requests/kernels/kernel_files.hpp"

namespace warpspan::app {

struct OccupancyRequest {
  KernelRequest kernels;     // without files: any kernel, of which the launch says all
  std::string machine;       // name or file; empty: the default machine of each kernel's .target
  CompiledKernels compiled;  // what logs of the assembler tell; if they tell anything, of every kernel
  bool block_sizes = false;  // from one warp to the largest block that the machine and the kernel allow
};

// Kernels that cannot be launched so, or that logs do not fit, are errors; one that spills is a warning.
OccupancyReport occupancies(const OccupancyRequest& request);

// What makes more warps resident, each alone: fewer registers, less shared memory, or both where neither is enough;
// blocks of the size with the most, the nearest of them. warps and `resident` belong to the needs.
std::vector<OccupancyStep> next_steps(const timing::BlockNeeds& needs, const timing::Residency& resident,
                                      const timing::Machine& machine);

}  // namespace warpspan::app
