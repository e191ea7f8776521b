// SPDX-License-Identifier: GPL-3.0-or-later
// What is analysed: a kernel, its control flow, and what its operations cost on a machine.
#pragma once

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "timing/costs/cost.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

struct CostedKernel {
  const ir::Kernel& kernel;
  const ir::Flow& flow;  // where a pass needs it, with trip counts for all loops
  const Costs& costs;
  const Machine& machine;
};

}  // namespace warpspan::timing
