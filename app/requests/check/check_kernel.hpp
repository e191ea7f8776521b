// SPDX-License-Identifier: GPL-3.0-or-later
// One kernel under one budget.
#pragma once

#include <functional>

#include "app/requests/check/check_budgets.hpp"
#include "app/requests/machine_shelf.hpp"

namespace warpspan::app {

// The targets of the budget's machine; none if it names none, or it cannot be loaded.
std::vector<std::string> devices_of(const Budget& budget, MachineShelf& machines);

// A kernel in a file that was read.
struct KernelPlace {
  std::string file, name, target;
  support::Location location;
  // What the machine code of the file says of its kernels (figures_of_file), read when it is first asked for; null
  // where that cannot be told of all of them.
  std::function<const CompiledKernels*()> figures = {};
};

// The result, its errors among it; without a label. What is read for it becomes part of the run.
CheckResult check_kernel(const CheckRequest& request, const Budget& budget, const KernelPlace& kernel,
                         MachineShelf& machines, RunRecord& run);

}  // namespace warpspan::app
