// One kernel under one budget.
#pragma once

#include "app/requests/check/check_budgets.hpp"
#include "app/requests/machine_shelf.hpp"

namespace warpspan::app {

// The targets of the budget's machine; none if it names none, or it cannot be loaded.
std::vector<std::string> devices_of(const Budget& budget, MachineShelf& machines);

// A kernel in a file that was read.
struct KernelPlace {
  std::string file, name, target;
  support::Location location;
};

// The result, its errors among it; without a label. What is read for it becomes part of the run.
CheckResult check_kernel(const CheckRequest& request, const Budget& budget, const KernelPlace& kernel,
                         MachineShelf& machines, RunRecord& run);

}  // namespace warpspan::app
