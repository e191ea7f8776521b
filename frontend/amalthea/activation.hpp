// SPDX-License-Identifier: GPL-3.0-or-later
// When a task is released, and when it has to be done: stimuli and requirements.
#pragma once

#include <vector>

#include "frontend/amalthea/findings.hpp"
#include "frontend/amalthea/gpu_tasks.hpp"
#include "frontend/amalthea/model.hpp"

namespace warpspan::amalthea {

// Offset, period (the least time between two releases) and deadline of a task, as far as they are told. Errors: no
// stimulus, several, or one whose releases have no least distance that the model tells.
void add_activation(const Model& model, const Task& task, Findings& findings, std::vector<Entry>& entries);

}  // namespace warpspan::amalthea
