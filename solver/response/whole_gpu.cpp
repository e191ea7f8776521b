// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/response/whole_gpu.hpp"

#include "support/checked.hpp"

namespace warpspan::solver::response_times {

std::optional<int64_t> time_alone(const Gpu& gpu, const Kernel& kernel) {
  const support::Integer at_once = support::Integer(gpu.multiprocessors) * fitting(gpu.capacity, kernel.need);
  const support::Integer rounds = ceil_divide(support::Integer(kernel.blocks), at_once.value().value_or(INT64_MAX));
  return (rounds * kernel.block_time).value();
}

void take_whole_gpu(Workload& workload) {
  workload.gpu.multiprocessors = 1;
  workload.gpu.capacity = {1, 0, 0, 0};
  for (Task& task : workload.tasks) {
    for (Operation& operation : task.operations) {
      if (auto* kernel = std::get_if<Kernel>(&operation)) kernel->need = {1, 0, 0, 0};
    }
  }
}

}  // namespace warpspan::solver::response_times
