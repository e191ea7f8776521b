// SPDX-License-Identifier: GPL-3.0-or-later
// What a job of a task does, step by step: the graphs of the task and of all runnables that it calls, in one list.
#pragma once

#include <optional>
#include <vector>

#include "frontend/amalthea/findings.hpp"
#include "frontend/amalthea/model.hpp"

namespace warpspan::amalthea {

enum class Direction : uint8_t { to_device, to_host };

// A kernel, or label accesses of one runnable that stand together.
struct Step {
  const Runnable* owner = nullptr;  // nullptr: the task itself
  size_t at = 0;
  bool is_kernel = false;
  const Execution* execution = nullptr;  // of a kernel; nullptr of one that is a kernel of a file
  std::vector<const Item*> accesses;
  std::optional<Direction> direction;  // of accesses that are copied; nothing: they are not
};

// steps_left: how many more steps there may be, counted down. Errors: what is not understood, ticks of the task itself,
// several executions in one runnable, accesses of which it is not told whether they come before or behind a kernel.
std::vector<Step> steps_of(const Model& model, const Task& task, size_t& steps_left, Findings& findings);

}  // namespace warpspan::amalthea
