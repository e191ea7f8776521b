// SPDX-License-Identifier: GPL-3.0-or-later
// Tasks files as text: tasks that were imported from a model.
#pragma once

#include <string>

#include "frontend/amalthea/gpu_tasks.hpp"
#include "support/result.hpp"

namespace warpspan::app {

// The text of a tasks file at this path (empty or "-": in the model's folder, for its standard output), which
// parse_tasks reads without an error: paths of the model are written as seen from there. Errors of parse_tasks, with
// the places of the model that a line is from.
support::Result<std::string> tasks_text(const amalthea::GpuTasks& tasks, const std::string& model,
                                        const std::string& path);

}  // namespace warpspan::app
