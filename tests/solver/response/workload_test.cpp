// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/response/workload.hpp"

#include <catch2/catch.hpp>
#include <functional>

using namespace warpspan::solver::response_times;

namespace {

Workload example() {
  Workload workload;
  workload.gpu.multiprocessors = 2;
  workload.gpu.capacity = {32, 2048, 65536, 65536};
  Task task;
  task.name = "camera";
  task.stream = 1;
  task.period = 100;
  task.operations = {Copy{Direction::to_device, 3}, Kernel{4, 10, {1, 512, 0, 0}}};
  workload.tasks = {task};
  return workload;
}

std::string error_after(const std::function<void(Workload&)>& change) {
  Workload workload = example();
  change(workload);
  const auto errors = errors_in(workload);
  return errors.size() == 1 ? errors[0].message : std::to_string(errors.size()) + " errors";
}

Kernel& kernel_of(Workload& workload) { return std::get<Kernel>(workload.tasks[0].operations[1]); }

}  // namespace

TEST_CASE("workload: what is out of range is refused") {
  CHECK(errors_in(example()).empty());
  CHECK(error_after([](auto& w) { w.tasks[0].period = 0; }) == "task 'camera': its period is 0, and not at least 1");
  CHECK(error_after([](auto& w) { w.tasks[0].deadline = 0; }) ==
        "task 'camera': its deadline is 0, and not at least 1");
  CHECK(error_after([](auto& w) { w.tasks[0].offset = -1; }) == "task 'camera': its offset is -1");
  CHECK(error_after([](auto& w) { w.tasks[0].operations.clear(); }) == "task 'camera': it has no operation");
  CHECK(error_after([](auto& w) { kernel_of(w).blocks = 0; }) == "task 'camera': operation 2 has 0 blocks");
  CHECK(error_after([](auto& w) { kernel_of(w).block_time = 0; }) ==
        "task 'camera': operation 2 has blocks that take 0");
  CHECK(error_after([](auto& w) { kernel_of(w).need[1] = 4096; }) ==
        "task 'camera': operation 2 needs 4096 threads for a block, and a multiprocessor has 2048");
  CHECK(error_after([](auto& w) { kernel_of(w).need[3] = -1; }) ==
        "task 'camera': operation 2 needs -1 registers for a block");
  CHECK(error_after([](auto& w) {
          w.tasks[0].operations[0] = Copy{Direction::to_host, 0};
        }) == "task 'camera': operation 1 is a copy that takes 0");
  CHECK(error_after([](auto& w) {
          kernel_of(w) = {INT64_MAX, 2, {}};
        }) == "task 'camera': its operations take more than 2^63 - 1 in all");
  CHECK(error_after([](auto& w) { w.gpu.multiprocessors = 0; }) ==
        "the GPU has 0 multiprocessors, which are 1 to 65536");
  CHECK(error_after([](auto& w) { w.gpu.copy_engines = 3; }) == "the GPU has 3 copy engines, not 1 or 2");
  CHECK(error_after([](auto& w) { w.gpu.engine_of[1] = 1; }) == "the GPU has no copy engine 1");
  CHECK(error_after([](auto& w) { w.gpu.capacity[2] = -1; }) ==
        "the GPU has -1 bytes of shared memory on each multiprocessor");
  CHECK(error_after([](auto& w) {
          w.tasks.push_back(w.tasks[0]);
          w.tasks[1].name.clear();
          w.tasks[1].priority = 1;
        }) == "task 2: its priority is 1, but that of its stream 1 is 0");
}

TEST_CASE("workload: a million tasks are looked through") {
  Workload workload = example();
  workload.tasks.resize(1'000'000, workload.tasks[0]);
  CHECK(errors_in(workload).empty());
}

TEST_CASE("workload: deadlines are periods if nothing else is said") {
  Task task;
  CHECK_FALSE(deadline_of(task));
  task.period = 7;
  CHECK(deadline_of(task) == 7);
  task.deadline = 5;
  CHECK(deadline_of(task) == 5);
}
