// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/response/utilisation.hpp"

#include <catch2/catch.hpp>

#include "solver/response/response_bound.hpp"

using namespace warpspan;
using namespace warpspan::solver::response_times;

namespace {

Gpu gpu_of(int64_t slots) {
  Gpu gpu;
  gpu.capacity = {slots, 0, 0, 0};
  gpu.copy_engines = 2;
  gpu.engine_of = {0, 1};
  return gpu;
}

Kernel blocks(int64_t count, int64_t time) { return {count, time, {1, 0, 0, 0}}; }

Task task(std::vector<Operation> operations, std::optional<int64_t> period) {
  Task one;
  one.period = period;
  one.operations = std::move(operations);
  return one;
}

// Of tasks in streams of their own.
Workload workload(int64_t slots, std::vector<Task> tasks) {
  Workload all{gpu_of(slots), std::move(tasks)};
  for (size_t i = 0; i < all.tasks.size(); ++i) all.tasks[i].stream = static_cast<int64_t>(i) + 1;
  return all;
}

}  // namespace

TEST_CASE("utilisation: work of a period, rounded up, by resource") {
  const Gpu gpu = gpu_of(2);
  const Utilisation one =
      utilisation_of(gpu, task({blocks(3, 5), Copy{Direction::to_host, 1}, Copy{Direction::to_device, 4}}, 30));
  CHECK(one.kernels == 250'000);
  CHECK(one.engines[0] == 133'334);
  CHECK(one.engines[1] == 33'334);
  CHECK((one + one).kernels == 500'000);
  CHECK(utilisation_of(gpu, task({blocks(3, 5)}, std::nullopt)).kernels == 0);
  Utilisation most;
  most.kernels = INT64_MAX;
  CHECK((most + one).kernels == INT64_MAX);
}

TEST_CASE("utilisation: more than there is of something is told, and exactly as much is not") {
  const Workload full = workload(2, {task({blocks(4, 1)}, 3), task({blocks(2, 1)}, 3)});
  CHECK(Demand(full).overload(0).empty());  // 2/3 + 1/3, each rounded
  Workload over = workload(2, {task({blocks(4, 1)}, 3), task({blocks(2, 2)}, 3)});
  CHECK(Demand(over).overload(1) == "kernels of its priority and above need 133.3 % of all places for blocks");
  over.tasks[0].priority = 1;
  CHECK(Demand(over).overload(0).empty());  // what is below it counts for nothing
  CHECK(Demand(over).overload(1) == "kernels of its priority and above need 133.3 % of all places for blocks");
  over.gpu.null_stream = NullStream::legacy;
  CHECK(Demand(over).overload(0) == "kernels need 133.3 % of all places for blocks");
  const Workload copies = workload(
      9, {task({Copy{Direction::to_host, 3}}, 4), task({Copy{Direction::to_host, 2}}, 4), task({blocks(1, 1)}, 4)});
  CHECK(Demand(copies).overload(0) == "copies need 125.0 % of copy engine 1");
  CHECK(Demand(copies).overload(2).empty());
  Workload stream = workload(9, {task({blocks(1, 3)}, 5), task({blocks(10, 1)}, 4)});
  CHECK(Demand(stream).overload(0).empty());
  stream.tasks[1].stream = 1;
  CHECK(Demand(stream).overload(0) == "operations of stream 1, one after another, need 110.0 % of the time");
}

TEST_CASE("utilisation: where too much is asked some task has no bound, and says so") {
  uint32_t state = 5;
  const auto number = [&state](uint32_t most) {
    state = state * 1664525 + 1013904223;
    return static_cast<int64_t>(1 + (state >> 8) % most);
  };
  int overloaded = 0;
  for (int set = 0; set < 2000; ++set) {
    Workload all = workload(number(4), {});
    for (int64_t i = number(4); i > 0; --i) {
      all.tasks.push_back(task({blocks(number(6), number(5))}, number(30)));
      if (number(2) == 1) all.tasks.back().operations.emplace_back(Copy{Direction::to_host, number(4)});
      all.tasks.back().stream = number(3);
      all.tasks.back().priority = all.tasks.back().stream % 2;
    }
    const auto found = response_bounds(all);
    REQUIRE(found);
    const Demand demand(all);
    bool some = false, told = false;
    for (size_t i = 0; i < all.tasks.size(); ++i) {
      const std::string overload = demand.overload(i);
      some = some || !overload.empty();
      if (overload.empty() || found->tasks[i].response) continue;  // others may pile up, and this task not
      told = true;
      CHECK(found->tasks[i].reason.ends_with("; utilisation above 1: " + overload));
    }
    CHECK(some == told);
    overloaded += some ? 1 : 0;
  }
  CHECK(overloaded > 100);
}
