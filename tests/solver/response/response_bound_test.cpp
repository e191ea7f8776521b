// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/response/response_bound.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>

#include "tests/solver/response/random_workload.hpp"

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

namespace {

Workload on_slots(int64_t slots, const std::vector<std::vector<Operation>>& tasks) {
  Workload workload;
  workload.gpu.capacity = {slots, 0, 0, 0};
  for (const auto& operations : tasks) {
    Task task;
    task.name = std::string(1, static_cast<char>('a' + workload.tasks.size()));
    task.stream = static_cast<int64_t>(workload.tasks.size());
    task.period = 1000;
    task.operations = operations;
    workload.tasks.push_back(task);
  }
  return workload;
}

Kernel of_slots(int64_t blocks, int64_t time) { return {blocks, time, {1, 0, 0, 0}}; }

std::vector<int64_t> bounds_of(const Workload& workload) {
  const auto found = response_bounds(workload);
  REQUIRE(found.ok());
  std::vector<int64_t> bounds;
  for (const ResponseBound& bound : found->tasks) bounds.push_back(bound.response.value_or(-1));
  return bounds;
}

using Times = std::vector<int64_t>;

}  // namespace

TEST_CASE("response bounds: a kernel alone takes its rounds") {
  CHECK(bounds_of(on_slots(8, {{of_slots(8, 5)}})) == Times{5});
  CHECK(bounds_of(on_slots(8, {{of_slots(9, 5)}})) == Times{10});
  CHECK(bounds_of(on_slots(8, {{of_slots(1, 5), of_slots(8, 2), Copy{Direction::to_host, 3}}})) == Times{10});
}

TEST_CASE("response bounds: kernels that all fit at once never wait") {
  CHECK(bounds_of(on_slots(8, {{of_slots(3, 5)}, {of_slots(3, 7)}, {of_slots(2, 9)}})) == Times{5, 7, 9});
}

TEST_CASE("response bounds: one kernel of each other stream goes first") {
  CHECK(bounds_of(on_slots(1, {{of_slots(1, 5)}, {of_slots(1, 7), of_slots(1, 2)}})) == Times{12, 14});
  CHECK(bounds_of(on_slots(1, {{Copy{Direction::to_host, 5}}, {Copy{Direction::to_device, 7}}})) == Times{12, 12});
}

TEST_CASE("response bounds: larger priority comes first, smaller priority only holds what it has") {
  Workload workload = on_slots(2, {{of_slots(2, 5)}, {of_slots(20, 7)}});
  workload.tasks[0].priority = 1;
  CHECK(bounds_of(workload) == Times{12, 77});
  // Its jobs may be late, but they do not pile up: it takes half of the time.
  workload.tasks[0].period = 10;
  CHECK(bounds_of(workload)[0] == 55);
  workload.tasks[0].period = 15;  // a job of 5 every 15 leaves two thirds of the GPU
  CHECK(bounds_of(workload)[0] == 12);
  CHECK(bounds_of(workload)[1] >= 105);
}

TEST_CASE("response bounds: jobs of a stream wait for those ahead, and may pile up") {
  Workload workload = on_slots(1, {{of_slots(1, 5)}, {of_slots(1, 7)}});
  workload.tasks[1].stream = 0;
  CHECK(bounds_of(workload) == Times{12, 12});
  workload.tasks[1].period = 6;
  const auto found = response_bounds(workload);
  CHECK(found->tasks[0].verdict == Verdict::no_bound);
  CHECK(found->tasks[0].reason ==
        "jobs of task 'b' may pile up in its stream; utilisation above 1: operations of stream 0, one after "
        "another, need 117.1 % of the time");
  CHECK(found->tasks[1].verdict == Verdict::no_bound);
  workload.tasks[0].period.reset();
  CHECK(response_bounds(workload)->tasks[1].reason ==
        "its jobs may pile up: what is found as its bound goes on rising; utilisation above 1: operations of stream 0, "
        "one after another, need 116.6 % of the time");
}

TEST_CASE("response bounds: verdicts and loads") {
  Workload workload = on_slots(2, {{of_slots(1, 5), Copy{Direction::to_host, 3}}, {of_slots(1, 500)}});
  workload.tasks[0].deadline = 8;
  auto found = response_bounds(workload);
  CHECK(found->tasks[0].verdict == Verdict::meets_deadline);
  CHECK(found->tasks[0].utilisation.kernels == 2500);
  CHECK(found->tasks[0].utilisation.engines[0] == 3000);
  CHECK(found->utilisation.kernels == 252500);
  CHECK(found->utilisation.engines[0] == 3000);
  workload.tasks[0].deadline = 7;
  workload.tasks[1].period.reset();
  found = response_bounds(workload);
  CHECK(found->tasks[0].verdict == Verdict::may_miss);
  CHECK(found->tasks[1].verdict == Verdict::bounded);
}

TEST_CASE("response bounds: nothing overflows silently") {
  Workload workload = on_slots(1, {{of_slots(INT64_MAX / 2, 2)}, {of_slots(1, INT64_MAX)}});
  CHECK(bounds_of(workload) == Times{-1, -1});
  workload.tasks.resize(4097, workload.tasks[0]);
  CHECK(response_bounds(workload).errors().front().message == "bounds are found for at most 4096 tasks");
}

TEST_CASE("response bounds: what they are made of adds up") {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    Shape shape;
    shape.null_stream = one_in(random, 3) ? NullStream::legacy : NullStream::none;
    const Workload workload = random_workload(random, shape);
    const auto bounds = response_bounds(workload);
    for (size_t i = 0; i < workload.tasks.size(); ++i) {
      int64_t sum = 0;
      for (const Term& term : terms_of(workload, *bounds, i)) sum += term.time;
      REQUIRE(sum == bounds->tasks[i].response.value_or(0));
    }
  }
}

// Each part is needed: without those of any one reason, some run takes longer.
TEST_CASE("response bounds: without any of its parts a bound is violated") {
  std::array<int, 7> violated{};
  for (uint32_t seed = 0; seed < 600; ++seed) {
    Random random(seed);
    const Workload workload = random_workload(random, shapes()[seed % 4].second);
    const auto bounds = response_bounds(workload);
    const auto longest = longest_responses(random, workload);
    for (size_t i = 0; i < workload.tasks.size(); ++i) {
      if (!bounds->tasks[i].response) continue;
      std::array<int64_t, 8> parts{};
      for (const Term& term : terms_of(workload, *bounds, i)) parts[static_cast<size_t>(term.reason)] += term.time;
      for (size_t reason = 0; reason < violated.size(); ++reason) {
        violated[reason] += longest[i] > *bounds->tasks[i].response - parts[reason];
      }
    }
  }
  for (size_t reason = 0; reason < violated.size(); ++reason) {
    CAPTURE(reason);
    CHECK(violated[reason] > 0);
  }
}
