// SPDX-License-Identifier: GPL-3.0-or-later
// Any text is tasks or a list of errors that can be printed, each with its place; of tasks, all operations have one.
#include "app/files/tasks_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warpspan;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto tasks = app::parse_tasks("fuzz.toml", text);
  if (!tasks) {
    if (tasks.errors().empty()) __builtin_trap();
    for (const support::Diagnostic& error : tasks.errors()) {
      if (error.location.line < 1 || render(error, false).empty()) __builtin_trap();
    }
    return 0;
  }
  if (tasks->places.size() != tasks->workload.tasks.size()) __builtin_trap();
  for (size_t i = 0; i < tasks->places.size(); ++i) {
    if (tasks->places[i].size() != tasks->workload.tasks[i].operations.size()) __builtin_trap();
  }
  return 0;
}
