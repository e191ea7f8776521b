// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/response/workload.hpp"

#include <algorithm>
#include <unordered_map>

#include "support/checked.hpp"

namespace warpspan::solver::response_times {

using support::Diagnostics;
using support::Integer;
using support::usage_error;

namespace {

constexpr int64_t most_multiprocessors = 65536;
constexpr std::array<const char*, kinds> kind_names = {"blocks", "threads", "bytes of shared memory", "registers"};

std::string text(int64_t value) { return std::to_string(value); }

void check_gpu(const Gpu& gpu, Diagnostics& errors) {
  const auto error = [&](const std::string& message) { errors.push_back(usage_error("the GPU " + message)); };
  if (gpu.multiprocessors < 1 || gpu.multiprocessors > most_multiprocessors) {
    error("has " + text(gpu.multiprocessors) + " multiprocessors, which are 1 to " + text(most_multiprocessors));
  }
  if (gpu.copy_engines < 1 || gpu.copy_engines > 2)
    error("has " + text(gpu.copy_engines) + " copy engines, not 1 or 2");
  for (const int64_t engine : gpu.engine_of) {
    if (engine < 0 || engine >= gpu.copy_engines) error("has no copy engine " + text(engine));
  }
  for (size_t kind = 0; kind < kinds; ++kind) {
    if (gpu.capacity[kind] < 0) {
      error("has " + text(gpu.capacity[kind]) + " " + kind_names[kind] + " on each multiprocessor");
    }
  }
}

class TaskCheck {
 public:
  TaskCheck(const Gpu& gpu, const Task& task, size_t index, Diagnostics& errors)
      : gpu_(gpu), task_(task), index_(index), errors_(errors) {}

  void check() {
    if (task_.offset < 0) error("its offset is " + text(task_.offset));
    if (task_.period && *task_.period < 1) error("its period is " + text(*task_.period) + ", and not at least 1");
    if (task_.deadline && *task_.deadline < 1)
      error("its deadline is " + text(*task_.deadline) + ", and not at least 1");
    if (task_.operations.empty()) error("it has no operation");
    for (size_t i = 0; i < task_.operations.size(); ++i) {
      operation_ = i;
      std::visit([this](const auto& operation) { check(operation); }, task_.operations[i]);
    }
    if (total_.overflowed()) error("its operations take more than 2^63 - 1 in all");
  }

  void error(const std::string& message) {
    const std::string name = task_.name.empty() ? text(static_cast<int64_t>(index_) + 1) : "'" + task_.name + "'";
    errors_.push_back(usage_error("task " + name + ": " + message));
  }

 private:
  void check(const Kernel& kernel) {
    if (kernel.blocks < 1) of_operation("has " + text(kernel.blocks) + " blocks");
    if (kernel.block_time < 1) of_operation("has blocks that take " + text(kernel.block_time));
    for (size_t kind = 0; kind < kinds; ++kind) {
      const std::string amount = text(kernel.need[kind]) + " " + kind_names[kind];
      if (kernel.need[kind] < 0) of_operation("needs " + amount + " for a block");
      if (kernel.need[kind] > std::max<int64_t>(gpu_.capacity[kind], 0)) {
        of_operation("needs " + amount + " for a block, and a multiprocessor has " + text(gpu_.capacity[kind]));
      }
    }
    total_ += Integer(kernel.blocks) * Integer(kernel.block_time);
  }

  void check(const Copy& copy) {
    if (copy.time < 1) of_operation("is a copy that takes " + text(copy.time));
    total_ += copy.time;
  }

  void of_operation(const std::string& message) {
    error("operation " + text(static_cast<int64_t>(operation_) + 1) + " " + message);
  }

  const Gpu& gpu_;
  const Task& task_;
  size_t index_;
  Diagnostics& errors_;
  size_t operation_ = 0;
  Integer total_ = 0;
};

}  // namespace

std::optional<int64_t> deadline_of(const Task& task) { return task.deadline ? task.deadline : task.period; }

int64_t fitting(const Amounts& left, const Amounts& need) {
  int64_t most = INT64_MAX;
  for (size_t kind = 0; kind < kinds; ++kind) {
    if (need[kind] > 0) most = std::min(most, left[kind] / need[kind]);
  }
  return most;
}

Diagnostics errors_in(const Workload& workload) {
  Diagnostics errors;
  check_gpu(workload.gpu, errors);
  std::unordered_map<int64_t, int64_t> priorities;
  for (size_t i = 0; i < workload.tasks.size(); ++i) {
    const Task& task = workload.tasks[i];
    TaskCheck check(workload.gpu, task, i, errors);
    check.check();
    const auto [known, added] = priorities.emplace(task.stream, task.priority);
    if (!added && known->second != task.priority) {
      check.error("its priority is " + text(task.priority) + ", but that of its stream " + text(task.stream) + " is " +
                  text(known->second));
    }
  }
  return errors;
}

}  // namespace warpspan::solver::response_times
