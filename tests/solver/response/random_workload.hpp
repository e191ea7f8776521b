// SPDX-License-Identifier: GPL-3.0-or-later
// Random workloads and runs of them, small enough that rare orders of events are met often.
#pragma once

#include <random>
#include <utility>

#include "solver/response/simulation.hpp"

namespace warpspan::solver::response_times {

using Random = std::mt19937;

inline int64_t between(Random& random, int64_t least, int64_t most) {
  return least + static_cast<int64_t>(random() % static_cast<uint64_t>(most - least + 1));
}
inline bool one_in(Random& random, int64_t n) { return between(random, 1, n) == 1; }

struct Shape {
  int64_t most_streams = 4;
  int64_t most_tasks = 5;
  int64_t most_operations = 3;
  int64_t most_priorities = 2;
  int64_t most_blocks = 6;
  int64_t most_time = 6;
  int64_t most_period = 150;
  bool same_needs = false;
  bool copies = true;
  NullStream null_stream = NullStream::none;
};

inline std::vector<std::pair<const char*, Shape>> shapes() {
  Shape same;
  same.same_needs = true;
  Shape one_kernel = same;
  one_kernel.most_operations = 1;
  one_kernel.copies = false;
  one_kernel.most_priorities = 1;
  Shape priorities;
  priorities.most_priorities = 3;
  priorities.most_streams = 5;
  Shape legacy;
  legacy.null_stream = NullStream::legacy;
  Shape busy;
  busy.most_period = 60;
  return {{"any", {}},
          {"same needs", same},
          {"one kernel", one_kernel},
          {"priorities", priorities},
          {"legacy NULL stream", legacy},
          {"busy", busy}};
}

inline Operation random_operation(Random& random, const Shape& shape, const Amounts& capacity) {
  if (shape.copies && one_in(random, 4)) {
    return Copy{static_cast<Direction>(between(random, 0, 1)), between(random, 1, shape.most_time)};
  }
  Kernel kernel{between(random, 1, shape.most_blocks), between(random, 1, shape.most_time), {1, 1, 0, 0}};
  if (shape.same_needs) return kernel;
  kernel.need[1] = between(random, 1, capacity[1]);
  if (one_in(random, 3)) kernel.need[2] = between(random, 0, capacity[2]);
  return kernel;
}

inline Workload random_workload(Random& random, const Shape& shape) {
  Workload workload;
  workload.gpu.multiprocessors = between(random, 1, 3);
  workload.gpu.capacity = {between(random, 1, 4), between(random, 1, 8), between(random, 0, 6), 0};
  if (shape.same_needs) workload.gpu.capacity[1] = workload.gpu.capacity[0];
  workload.gpu.copy_engines = between(random, 1, 2);
  workload.gpu.engine_of = {0, workload.gpu.copy_engines - 1};
  workload.gpu.null_stream = shape.null_stream;
  const int64_t streams = between(random, 1, shape.most_streams);
  std::vector<int64_t> priorities;
  for (int64_t i = 0; i < streams; ++i) priorities.push_back(between(random, 1, shape.most_priorities));
  const int64_t tasks = between(random, 1, shape.most_tasks);
  for (int64_t i = 0; i < tasks; ++i) {
    Task task;
    task.stream = i < streams ? i : between(random, 0, streams - 1);
    task.priority = priorities[static_cast<size_t>(task.stream)];
    task.offset = between(random, 0, 5);
    if (!one_in(random, 5)) task.period = between(random, 1, shape.most_period);
    for (int64_t j = between(random, 1, shape.most_operations); j > 0; --j) {
      task.operations.push_back(random_operation(random, shape, workload.gpu.capacity));
    }
    workload.tasks.push_back(task);
  }
  return workload;
}

// The most that a piece of a run takes.
inline int64_t most_time(const Workload& workload, const std::vector<Release>& releases, const Piece& piece) {
  const Operation& operation = workload.tasks[releases[piece.job].task].operations[piece.operation];
  const auto* copy = std::get_if<Copy>(&operation);
  return copy ? copy->time : std::get<Kernel>(operation).block_time;
}

}  // namespace warpspan::solver::response_times
