// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/response/slowest_response.hpp"

#include <catch2/catch.hpp>
#include <iostream>

#include "solver/response/response_bound.hpp"
#include "tests/solver/response/random_workload.hpp"

using namespace warpspan::solver::response_times;

TEST_CASE("slowest responses: they are runs, the same each time, and no longer than their bounds") {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const Workload workload = random_workload(random, {});
    SearchLimits limits;
    limits.runs = 100;
    const auto slowest = slowest_responses(workload, limits);
    const auto again = slowest_responses(workload, limits);
    const auto bounds = response_bounds(workload);
    for (size_t i = 0; i < workload.tasks.size(); ++i) {
      const auto& [response, scenario] = (*slowest)[i];
      CHECK(response == (*again)[i].response);
      if (bounds->tasks[i].response) CHECK(response <= *bounds->tasks[i].response);
      const auto releases = releases_of(workload, scenario, limits.most_jobs);
      const auto run = run_of(workload, scenario, releases);
      int64_t longest = 0;
      for (size_t job = 0; job < releases.size(); ++job) {
        if (releases[job].task == i) longest = std::max(longest, run->finish[job] - releases[job].time);
      }
      CHECK(response == longest);
    }
  }
}

TEST_CASE("slowest responses: the bounds of the thesis' four kernels are met") {
  Workload workload;
  workload.gpu.multiprocessors = 2;
  workload.gpu.capacity = {32, 2048, 65536, 65536};
  const std::vector<std::pair<int64_t, int64_t>> kernels = {{2, 4}, {7, 6}, {2, 6}, {5, 5}};
  for (const auto& [blocks, time] : kernels) {
    Task task;
    task.stream = static_cast<int64_t>(workload.tasks.size());
    task.period = 15;
    task.operations = {Kernel{blocks, time, {1, 512, 0, 0}}};
    workload.tasks.push_back(task);
  }
  const auto bounds = response_bounds(workload);
  const auto slowest = slowest_responses(workload, {});
  const std::vector<int64_t> expected = {10, 12, 12, 11};
  for (size_t i = 0; i < expected.size(); ++i) {
    CHECK(bounds->tasks[i].response == expected[i]);
    CHECK(bounds->tasks[i].verdict == Verdict::meets_deadline);
    CHECK((*slowest)[i].response == expected[i]);
  }
}

TEST_CASE("slowest responses: shorter times are tried") {
  const Amounts need = {1, 0, 0, 0};
  Workload workload;
  workload.gpu.capacity = {2, 0, 0, 0};
  workload.tasks.resize(2);
  workload.tasks[0].operations = {Kernel{1, 3, need}, Kernel{2, 2, need}};
  workload.tasks[1].operations = {Kernel{1, 2, need}, Kernel{1, 1, need}};
  workload.tasks[1].stream = 1;
  SearchLimits limits;
  limits.any_offsets = false;
  CHECK((*slowest_responses(workload, limits))[1].response == 5);  // 3 if all take their most
  limits.runs = 0;
  CHECK_FALSE(slowest_responses(workload, limits).ok());
  CHECK(slowest_responses({}, {})->empty());
}

TEST_CASE("slowest responses: none is longer than its bound on many workloads", "[.][slow]") {
  for (const auto& [name, shape] : shapes()) {
    int64_t found = 0, met = 0;
    double sum = 0;
    for (uint32_t seed = 2'000'000; seed < 2'003'000; ++seed) {
      Random random(seed);
      const Workload workload = random_workload(random, shape);
      const auto bounds = response_bounds(workload);
      SearchLimits limits;
      limits.runs = 300;
      limits.most_jobs = 60;
      const auto slowest = slowest_responses(workload, limits);
      for (size_t i = 0; i < workload.tasks.size(); ++i) {
        if (!bounds->tasks[i].response) continue;
        REQUIRE((*slowest)[i].response <= *bounds->tasks[i].response);
        sum += static_cast<double>((*slowest)[i].response) / static_cast<double>(*bounds->tasks[i].response);
        met += (*slowest)[i].response == *bounds->tasks[i].response;
        ++found;
      }
    }
    std::cout << name << ": " << found << " bounds, " << met << " met, mean of longest response / bound "
              << sum / static_cast<double>(found) << std::endl;
  }
}
