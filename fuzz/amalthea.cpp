// SPDX-License-Identifier: GPL-3.0-or-later
// Any text is a model with tasks on a GPU, each with work, or a list of errors that can be printed.
#include "frontend/amalthea/gpu_tasks.hpp"

namespace {

void check(const warpspan::support::Diagnostics& errors) {
  if (errors.empty()) __builtin_trap();
  for (const warpspan::support::Diagnostic& error : errors) {
    if (error.location.file != "fuzz.amxmi" || render(error, false).empty()) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warpspan;
  const support::SourceFile file("fuzz.amxmi", std::string(reinterpret_cast<const char*>(data), size));
  const auto model = amalthea::read_model(file);
  if (!model) {
    check(model.errors());
    return 0;
  }
  const auto tasks = amalthea::gpu_tasks(file, *model);
  if (!tasks) {
    check(tasks.errors());
    return 0;
  }
  if (tasks->gpu.empty() || tasks->tasks.empty()) __builtin_trap();
  for (const amalthea::GpuTask& task : tasks->tasks) {
    if (task.work.empty() || task.at.line < 1) __builtin_trap();
    for (const amalthea::Operation& operation : task.work) {
      if (operation.entries.empty() || operation.at.line < 1) __builtin_trap();
    }
  }
  return 0;
}
