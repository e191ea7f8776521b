// SPDX-License-Identifier: GPL-3.0-or-later
// The tasks of a model that run on its GPU, in the terms of a tasks file (docs/response-times.md); docs/amalthea.md
// tells what each element of a model becomes.
#pragma once

#include <string>
#include <vector>

#include "frontend/amalthea/model.hpp"
#include "frontend/amalthea/properties.hpp"
#include "support/result.hpp"
#include "support/source_file.hpp"

namespace warpspan::amalthea {

struct Entry {
  std::string key;  // of a tasks file
  Value value;
  support::Location at;  // in the model
};

struct Operation {
  std::vector<Entry> entries;
  std::string comment;  // what of the model it is
  support::Location at;
};

struct GpuTask {
  std::vector<Entry> entries;
  std::vector<Operation> work;
  support::Location at;
};

struct GpuTasks {
  std::vector<Entry> gpu;
  support::Location gpu_at;
  std::vector<GpuTask> tasks;
  support::Diagnostics notes;  // what is left out, and why that is safe
};

inline constexpr size_t most_steps = 100'000;  // of all tasks, with those of what runnables call

// All errors, as wrong use with their places: what decides response times on the GPU and is missing, contradicts itself
// or is not understood; references to what is not there; runnables that call one another in a circle.
support::Result<GpuTasks> gpu_tasks(const support::SourceFile& file, const Model& model);

}  // namespace warpspan::amalthea
