#include "solver/response_times/response_bound.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>

#include "tests/solver/response_times/random_workload.hpp"

using namespace warpspan::solver::response_times;

namespace {

// Jobs up to a time: each task's by its period, or a little later, and those of one time in any order.
std::vector<Release> random_releases(Random& random, const Workload& workload, int64_t end) {
  std::vector<Release> releases;
  const bool late = one_in(random, 2);
  for (size_t i = 0; i < workload.tasks.size(); ++i) {
    const Task& task = workload.tasks[i];
    for (int64_t time = between(random, 0, 8); time < end; time += *task.period + (late ? between(random, 0, 3) : 0)) {
      releases.push_back({i, time});
      if (!task.period) break;
    }
  }
  std::shuffle(releases.begin(), releases.end(), random);
  std::stable_sort(releases.begin(), releases.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
  return releases;
}

std::vector<int64_t> longest_responses(Random& random, const Workload& workload) {
  const auto releases = random_releases(random, workload, 150);
  RunOptions options;
  options.placement = static_cast<Placement>(between(random, 0, 3));
  options.seed = static_cast<uint32_t>(random());
  const int64_t shorter = between(random, 0, 3);
  options.time = [&](const Piece& piece) {
    const int64_t most = most_time(workload, releases, piece);
    return shorter > 0 && one_in(random, shorter) ? between(random, 1, most) : most;
  };
  const auto run = simulate(workload, releases, options);
  REQUIRE(run.ok());
  std::vector<int64_t> longest(workload.tasks.size(), 0);
  for (size_t job = 0; job < releases.size(); ++job) {
    int64_t& most = longest[releases[job].task];
    most = std::max(most, run->finish[job] - releases[job].time);
  }
  return longest;
}

// How runs compare with bounds over many workloads.
struct Comparison {
  int64_t compared = 0, unbounded = 0, violated = 0, tight = 0;
  double largest = 0, sum = 0;
};

void compare(Random& random, const Workload& workload, int runs, Comparison& comparison) {
  const auto bounds = response_bounds(workload);
  REQUIRE(bounds.ok());
  std::vector<int64_t> longest(workload.tasks.size(), 0);
  for (int run = 0; run < runs; ++run) {
    const auto some = longest_responses(random, workload);
    for (size_t i = 0; i < some.size(); ++i) longest[i] = std::max(longest[i], some[i]);
  }
  for (size_t i = 0; i < longest.size(); ++i) {
    if (!bounds->tasks[i].response) {
      ++comparison.unbounded;
      continue;
    }
    const int64_t bound = *bounds->tasks[i].response;
    ++comparison.compared;
    comparison.violated += longest[i] > bound;
    comparison.tight += longest[i] == bound;
    const double ratio = static_cast<double>(longest[i]) / static_cast<double>(bound);
    comparison.largest = std::max(comparison.largest, ratio);
    comparison.sum += ratio;
  }
}

Comparison compare_many(uint32_t seed, int workloads, int runs, const Shape& shape) {
  Comparison comparison;
  for (int i = 0; i < workloads; ++i) {
    Random random(seed + static_cast<uint32_t>(i));
    compare(random, random_workload(random, shape), runs, comparison);
  }
  return comparison;
}

std::vector<std::pair<const char*, Shape>> shapes() {
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

}  // namespace

TEST_CASE("no run takes longer than its bound") {
  for (const auto& [name, shape] : shapes()) {
    CAPTURE(name);
    const Comparison comparison = compare_many(1, 300, 4, shape);
    CHECK(comparison.violated == 0);
    CHECK(comparison.compared > 200);
    CHECK(comparison.tight > 0);
  }
}

TEST_CASE("no run takes longer than its bound on many workloads", "[.][slow]") {
  const char* count = std::getenv("WORKLOADS");
  for (const auto& [name, shape] : shapes()) {
    const Comparison comparison = compare_many(1'000'000, count ? std::atoi(count) : 20'000, 5, shape);
    std::cout << name << ": " << comparison.compared << " bounds, " << comparison.unbounded << " without, "
              << comparison.violated << " violated, " << comparison.tight << " met, largest ratio "
              << comparison.largest << ", mean " << comparison.sum / static_cast<double>(comparison.compared)
              << std::endl;
    CHECK(comparison.violated == 0);
  }
}
