// One kernel under one budget.
#pragma once

#include <atomic>
#include <map>

#include "app/requests/check/check_budgets.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::app {

// Machines by name, or by target where a budget names none; each is loaded once, and then part of the run.
class MachineShelf {
 public:
  explicit MachineShelf(RunRecord& run) : run_(run) {}

  const support::Result<timing::Machine>& find(const std::string& name, const std::string& target);

 private:
  RunRecord& run_;
  std::map<std::pair<std::string, std::string>, support::Result<timing::Machine>> loaded_;
};

// A kernel in a file that was read.
struct KernelPlace {
  std::string file, name, target;
  support::Location location;
};

// The result, its errors among it; without a label. What is read for it becomes part of the run.
CheckResult check_kernel(const CheckRequest& request, const Budget& budget, const KernelPlace& kernel,
                         MachineShelf& machines, RunRecord& run);

}  // namespace warpspan::app
