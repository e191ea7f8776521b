// SPDX-License-Identifier: GPL-3.0-or-later
// Which tasks of a model run on its GPU, and which runnables may.
#pragma once

#include <set>
#include <vector>

#include "frontend/amalthea/findings.hpp"
#include "frontend/amalthea/model.hpp"

namespace warpspan::amalthea {

struct Mapping {
  const ProcessingUnit* unit = nullptr;  // the GPU
  const ProcessingUnitDefinition* definition = nullptr;
  std::vector<const Task*> tasks;                  // that run on it, in the order of the model
  std::vector<const TaskAllocation*> allocations;  // of each of them
};

// Errors: no task on a GPU, or on several; a scheduler that has a GPU and something else; a task with several
// allocations; a task without GPU that calls what belongs to one; calls in a circle. Tasks that are left out are noted.
Mapping map_tasks(const Model& model, Findings& findings);

}  // namespace warpspan::amalthea
