// SPDX-License-Identifier: GPL-3.0-or-later
// The smallest timing anomaly of equal blocks: one block takes less, and a job of another task ends later.
//
// Two slots. Stream 1 runs a block of time 3 and then two blocks of time 2, stream 2 a block of time 2 and then one of
// time 1. Both first blocks start at 0; stream 2's second one starts at 2, beside the first of stream 1, and ends at 3.
// If the block of time 3 takes 1 only, the two blocks after it are queued at 1, before the second one of stream 2: one
// of them starts at 1, the other at 2, and that of stream 2 at 3, to end at 4. So most times of all blocks do not give
// the longest response, and simulating them alone is no bound.
#include <catch2/catch.hpp>
#include <functional>

#include "solver/response/response_bound.hpp"
#include "solver/response/simulation.hpp"

using namespace warpspan::solver::response_times;

namespace {

using Kernels = std::vector<Kernel>;

// The job, kernel and block of a run that takes `time` instead of its most.
struct Shorter {
  size_t job = 0;
  size_t kernel = 0;
  int64_t block = 0;
  int64_t time = 1;
};

Workload two_slots(const std::vector<Kernels>& streams) {
  Workload workload;
  workload.gpu.capacity = {2, 0, 0, 0};
  for (const Kernels& kernels : streams) {
    Task task;
    task.stream = static_cast<int64_t>(workload.tasks.size());
    task.operations.assign(kernels.begin(), kernels.end());
    workload.tasks.push_back(task);
  }
  return workload;
}

// When each job ends: the least and the most over both orders of their launch at 0, as what happens at one time may
// happen in any order.
std::vector<std::pair<int64_t, int64_t>> ends(const Workload& workload, const Shorter* shorter) {
  const size_t jobs = workload.tasks.size();
  std::vector<std::pair<int64_t, int64_t>> found(jobs, {INT64_MAX, 0});
  for (const bool reversed : {false, true}) {
    std::vector<Release> releases;
    for (size_t i = 0; i < jobs; ++i) releases.push_back({reversed ? jobs - 1 - i : i, 0});
    RunOptions options;
    options.time = [&](const Piece& piece) {
      const size_t task = releases[piece.job].task;
      if (shorter && shorter->job == task && shorter->kernel == piece.operation && shorter->block == piece.block) {
        return shorter->time;
      }
      return std::get<Kernel>(workload.tasks[task].operations[piece.operation]).block_time;
    };
    const auto run = simulate(workload, releases, options);
    REQUIRE(run.ok());
    for (size_t i = 0; i < jobs; ++i) {
      auto& [least, most] = found[releases[i].task];
      least = std::min(least, run->finish[i]);
      most = std::max(most, run->finish[i]);
    }
  }
  return found;
}

// How many single blocks of a workload, made shorter, let another job end later whatever the order.
int anomalies_of(const Workload& workload) {
  int found = 0;
  const auto usual = ends(workload, nullptr);
  for (size_t job = 0; job < workload.tasks.size(); ++job) {
    for (size_t k = 0; k < workload.tasks[job].operations.size(); ++k) {
      const auto& kernel = std::get<Kernel>(workload.tasks[job].operations[k]);
      for (int64_t which = 0; which < kernel.blocks * (kernel.block_time - 1); ++which) {
        const Shorter shorter{job, k, which % kernel.blocks, 1 + which / kernel.blocks};
        const auto then = ends(workload, &shorter);
        for (size_t j = 0; j < then.size(); ++j) found += j != job && then[j].first > usual[j].second;
      }
    }
  }
  return found;
}

// All lists of one or two kernels with at most this much work, of one or two blocks each.
void each_list(int64_t work, const std::function<void(const Kernels&, int64_t)>& use, const Kernels& begun = {}) {
  if (!begun.empty()) use(begun, work);
  if (begun.size() == 2) return;
  for (int64_t blocks = 1; blocks <= 2; ++blocks) {
    for (int64_t time = 1; blocks * time <= work; ++time) {
      Kernels more = begun;
      more.push_back({blocks, time, {1, 0, 0, 0}});
      each_list(work - blocks * time, use, more);
    }
  }
}

int anomalies_with(int64_t work) {
  int found = 0;
  each_list(work, [&](const Kernels& first, int64_t left) {
    each_list(left, [&](const Kernels& second, int64_t rest) {
      if (rest == 0) found += anomalies_of(two_slots({first, second}));
    });
  });
  return found;
}

}  // namespace

TEST_CASE("a shorter block lets another task's job end later") {
  const Amounts need = {1, 0, 0, 0};
  const Workload workload = two_slots({{{1, 3, need}, {2, 2, need}}, {{1, 2, need}, {1, 1, need}}});
  CHECK(ends(workload, nullptr)[1] == std::pair<int64_t, int64_t>{3, 3});
  const Shorter shorter{0, 0, 0, 1};
  CHECK(ends(workload, &shorter)[1] == std::pair<int64_t, int64_t>{4, 4});
  CHECK(*response_bounds(workload)->tasks[1].response >= 4);
}

TEST_CASE("two streams on two slots have no anomaly of equal blocks with less work than 10, and that one with 10") {
  for (int64_t work = 2; work < 10; ++work) CHECK(anomalies_with(work) == 0);
  CHECK(anomalies_with(10) == 2);  // it, and with the streams exchanged
}
