// Any text is tasks that a tasks file can hold, or a list of errors that can be printed.
#include "app/files/tasks_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warpspan;
  const support::SourceFile file("fuzz.amxmi", std::string(reinterpret_cast<const char*>(data), size));
  const auto check = [](const support::Diagnostics& errors) {
    if (errors.empty()) __builtin_trap();
    for (const support::Diagnostic& error : errors) {
      if (error.location.file.empty() || render(error, false).empty()) __builtin_trap();
    }
  };
  const auto model = amalthea::read_model(file);
  if (!model) return check(model.errors()), 0;
  const auto tasks = amalthea::gpu_tasks(file, *model);
  if (!tasks) return check(tasks.errors()), 0;
  const auto text = app::tasks_text(*tasks, "fuzz.amxmi", "");
  if (!text) return check(text.errors()), 0;
  if (text->empty() || tasks->tasks.empty()) __builtin_trap();
  return 0;
}
