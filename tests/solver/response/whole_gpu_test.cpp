// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/response/whole_gpu.hpp"

#include <catch2/catch.hpp>

#include "tests/solver/response/random_workload.hpp"

using namespace warpspan::solver::response_times;

namespace {

Gpu gpu_of(int64_t multiprocessors, int64_t threads) {
  Gpu gpu;
  gpu.multiprocessors = multiprocessors;
  gpu.capacity = {32, threads, 65536, 65536};
  return gpu;
}

Task task_of(const Operation& operation, int64_t stream = 0) {
  Task task;
  task.stream = stream;
  task.operations = {operation};
  return task;
}

}  // namespace

TEST_CASE("blocks that all take their most time take as long as is bounded") {
  for (const int64_t blocks : {1, 7, 8, 9, 16, 17}) {  // 8 at once
    const Kernel kernel{blocks, 5, {1, 512, 0, 0}};
    const auto run = simulate({gpu_of(2, 2048), {task_of(kernel)}}, {{0, 0}});
    REQUIRE(run.ok());
    CHECK(time_alone(gpu_of(2, 2048), kernel) == run->finish.front());
  }
}

TEST_CASE("however much shorter blocks are, and wherever they are placed, the kernel ends by its bound") {
  Random random(7);
  int64_t near = 0;
  for (int i = 0; i < 2000; ++i) {
    const Gpu gpu = gpu_of(between(random, 1, 3), between(random, 1, 5));
    const Kernel kernel{between(random, 1, 30), between(random, 1, 9), {1, between(random, 1, gpu.capacity[1]), 0, 0}};
    RunOptions options;
    options.placement = static_cast<Placement>(between(random, 0, 3));
    options.seed = static_cast<uint32_t>(i);
    const bool is_slow = one_in(random, 2);
    options.time = [&](const Piece&) {
      return is_slow && !one_in(random, 5) ? kernel.block_time : between(random, 1, kernel.block_time);
    };
    const auto run = simulate({gpu, {task_of(kernel)}}, {{0, 0}}, options);
    REQUIRE(run.ok());
    const int64_t bound = time_alone(gpu, kernel).value();
    CHECK(run->finish.front() <= bound);
    near += run->finish.front() == bound ? 1 : 0;
  }
  CHECK(near > 400);
}

TEST_CASE("a time beyond 2^63 - 1 is none") {
  CHECK_FALSE(time_alone(gpu_of(1, 1), {INT64_MAX, 2, {1, 1, 0, 0}}));
  CHECK(time_alone(gpu_of(1, 1), {INT64_MAX, 1, {1, 1, 0, 0}}) == INT64_MAX);
}

TEST_CASE("kernels that take the whole GPU run one after another, and copies beside them") {
  Workload workload{gpu_of(4, 2048),
                    {task_of(Kernel{1, 5, {1, 32, 0, 0}}, 1), task_of(Kernel{1, 7, {1, 32, 0, 0}}, 2),
                     task_of(Copy{Direction::to_host, 12}, 3)}};
  take_whole_gpu(workload);
  const auto run = simulate(workload, {{0, 0}, {1, 0}, {2, 0}});
  REQUIRE(run.ok());
  CHECK(run->finish == std::vector<int64_t>{5, 12, 12});
}
