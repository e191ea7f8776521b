// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/response/simulation.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <iostream>

#include "solver/response/finish_times.hpp"
#include "tests/solver/response/random_workload.hpp"

using namespace warpspan::solver::response_times;

namespace {

using Times = std::vector<int64_t>;

// Two multiprocessors of 4 slots: blocks of 512 threads on a Jetson TX2.
Gpu tx2() {
  Gpu gpu;
  gpu.multiprocessors = 2;
  gpu.capacity = {32, 2048, 65536, 65536};
  return gpu;
}

Kernel kernel(int64_t blocks, int64_t time, Amounts need = {1, 512, 0, 0}) { return {blocks, time, need}; }

Task task(int64_t stream, const std::vector<Operation>& operations, int64_t priority = 0) {
  Task made;
  made.stream = stream;
  made.priority = priority;
  made.operations = operations;
  return made;
}

// One job of each task, released in the order of the tasks at these times, or at 0.
Run run_once(const Workload& workload, const Times& times = {}) {
  std::vector<Release> releases;
  for (size_t i = 0; i < workload.tasks.size(); ++i) releases.push_back({i, times.empty() ? 0 : times[i]});
  RunOptions options;
  options.keep_blocks = true;
  const auto run = simulate(workload, releases, options);
  REQUIRE(run.ok());
  return *run;
}

Times starts_of(const Run& run) {
  Times starts;
  for (const OperationRun& operation : run.operations) starts.push_back(operation.start);
  return starts;
}

Times finishes(const std::vector<std::pair<int64_t, int64_t>>& blocks_and_times) {
  Workload workload{tx2(), {}};
  for (const auto& [blocks, time] : blocks_and_times) {
    workload.tasks.push_back(task(static_cast<int64_t>(workload.tasks.size()), {kernel(blocks, time)}));
  }
  return run_once(workload).finish;
}

}  // namespace

// The thesis' results, which are its measurements (blocks before times).
TEST_CASE("simulation: four and five kernels as measured on a Jetson TX2") {
  CHECK(finishes({{2, 4}, {7, 6}, {2, 6}, {5, 5}}) == Times{4, 10, 12, 11});
  CHECK(finishes({{7, 6}, {2, 6}, {5, 5}, {2, 4}}) == Times{6, 12, 11, 10});
  CHECK(finishes({{7, 6}, {5, 5}, {2, 4}, {2, 6}}) == Times{6, 11, 10, 12});
  CHECK(finishes({{7, 6}, {2, 4}, {2, 6}, {5, 5}}) == Times{6, 8, 12, 11});
  CHECK(finishes({{4, 2}, {7, 1}, {10, 4}, {1, 11}, {3, 6}}) == Times{2, 2, 10, 17, 12});
  CHECK(finishes({{5, 3}, {4, 3}, {7, 3}, {1, 8}, {8, 5}}) == Times{3, 6, 6, 14, 16});
}

TEST_CASE("rules G1, G2, G4: a stream runs what was launched into it, one after another") {
  const Workload workload{tx2(), {task(1, {kernel(1, 5), kernel(1, 2)}), task(1, {kernel(1, 1)})}};
  const Run run = run_once(workload, {0, 1});
  CHECK(starts_of(run) == Times{0, 5, 7});
  CHECK(run.operations[1].enqueued == 5);  // not when it was launched
  CHECK(run.finish == Times{7, 8});
}

TEST_CASE("rule G3: the next kernel of the queue follows once all blocks of the first have started") {
  const Workload workload{tx2(), {task(1, {kernel(10, 5)}), task(2, {kernel(1, 1)})}};
  CHECK(run_once(workload).finish == Times{10, 6});  // it does not wait for the first kernel's end
}

TEST_CASE("rule G4: a kernel leaves its stream when all of its blocks have ended") {
  Workload workload{tx2(), {task(1, {kernel(2, 5), kernel(1, 1)})}};
  RunOptions options;
  options.time = [](const Piece& piece) { return piece.operation == 0 && piece.block == 0 ? 5 : 1; };
  CHECK(simulate(workload, {{0, 0}}, options)->operations[1].start == 5);
}

TEST_CASE("rule X1: only blocks of the first kernel of the queue may start") {
  const Workload workload{tx2(),
                          {task(1, {kernel(7, 5)}), task(2, {kernel(1, 5, {1, 1024, 0, 0})}), task(3, {kernel(1, 1)})}};
  CHECK(starts_of(run_once(workload)) == Times{0, 5, 5});  // the third one would have found room at 0
}

TEST_CASE("rules R1-R3: a block starts where all that it needs is left") {
  for (size_t kind = 0; kind < kinds; ++kind) {
    CAPTURE(kind);
    Workload workload{tx2(), {task(1, {kernel(3, 4)})}};
    Amounts& need = std::get<Kernel>(workload.tasks[0].operations[0]).need;
    need = {};
    need[kind] = workload.gpu.capacity[kind];  // one on each multiprocessor
    CHECK(run_once(workload).finish == Times{8});
    need[kind] = workload.gpu.capacity[kind] / 2;
    CHECK(run_once(workload).finish == Times{4});
  }
}

TEST_CASE("rules C1-C4: an engine copies one after another, and the stream goes on afterwards") {
  Workload workload{tx2(),
                    {task(1, {Copy{Direction::to_device, 3}, kernel(1, 1), Copy{Direction::to_host, 2}}),
                     task(2, {Copy{Direction::to_host, 4}}), task(3, {Copy{Direction::to_device, 1}})}};
  Run run = run_once(workload);
  CHECK(starts_of(run) == Times{0, 3, 8, 3, 7});
  CHECK(run.operations[2].enqueued == 4);
  workload.gpu.copy_engines = 2;
  workload.gpu.engine_of = {0, 1};
  CHECK(starts_of(run_once(workload)) == Times{0, 3, 4, 0, 3});
}

TEST_CASE("rules A1, A2: blocks of smaller priority wait while a queue of larger priority is not empty") {
  const Workload workload{tx2(), {task(1, {kernel(12, 5)}), task(2, {kernel(8, 2)}, 1)}};
  CHECK(starts_of(run_once(workload, {0, 1})) == Times{0, 5});
  CHECK(run_once(workload, {0, 1}).finish == Times{12, 7});  // the other four blocks go after it
  // It waits even where it would find room, and the other one does not.
  const Workload large{tx2(),
                       {task(1, {kernel(7, 5)}), task(2, {kernel(1, 5, {1, 2048, 0, 0})}, 1), task(3, {kernel(1, 1)})}};
  CHECK(starts_of(run_once(large, {0, 1, 1})) == Times{0, 5, 5});
}

TEST_CASE("rules N1, N2: the NULL stream waits for what was launched before it, and what was launched later for it") {
  Workload workload{tx2(),
                    {task(1, {kernel(1, 5), kernel(1, 2)}), task(0, {kernel(1, 1)}), task(2, {kernel(1, 3)}),
                     task(1, {kernel(1, 1)})}};
  CHECK(starts_of(run_once(workload)) == Times{0, 5, 0, 0, 7});
  workload.gpu.null_stream = NullStream::legacy;
  const Run run = run_once(workload);
  CHECK(starts_of(run) == Times{0, 5, 7, 8, 8});
  CHECK(run.operations[2].enqueued == 7);
  CHECK(run.finish == Times{7, 8, 11, 9});
}

TEST_CASE("placements: which multiprocessor takes a block") {
  const auto places = [](Placement placement) {
    const Workload workload{tx2(), {task(1, {kernel(1, 9), kernel(3, 1)}), task(2, {kernel(1, 9)})}};
    RunOptions options;
    options.placement = placement;
    options.keep_blocks = true;
    std::vector<int64_t> found;
    const auto run = simulate(workload, {{0, 0}, {1, 0}}, options);
    for (const BlockRun& block : run->blocks) found.push_back(block.multiprocessor);
    return found;
  };
  CHECK(places(Placement::first_fit) == Times{0, 0, 0, 0, 0});
  CHECK(places(Placement::most_free) == Times{0, 1, 0, 1, 0});
  CHECK(places(Placement::round_robin) == Times{0, 1, 0, 1, 0});
  CHECK(places(Placement::random) == places(Placement::random));
}

TEST_CASE("simulation: what is out of range is refused") {
  const Workload workload{tx2(), {task(1, {kernel(1, 5)})}};
  const auto refusal = [&](const std::vector<Release>& releases, const RunOptions& options = {}) {
    return simulate(workload, releases, options).errors().front().message;
  };
  CHECK(refusal({{1, 0}}) == "a job is of no task");
  CHECK(refusal({{0, 3}, {0, 2}}) == "jobs are not in the order of their launch");
  CHECK(refusal({{0, INT64_MAX}}) == "a time exceeds 2^63 - 1");
  RunOptions longer;
  longer.time = [](const Piece&) { return 6; };
  CHECK(refusal({{0, 0}}, longer) == "a piece that takes 1 to 5 is said to take 6");
  CHECK(periodic_releases(workload, 1, 0).errors().front().message == "there are more than 0 jobs");
  CHECK(simulate(workload, {})->finish.empty());
}

TEST_CASE("simulation: jobs are released a period apart, in the order of time") {
  Workload workload{tx2(), {task(1, {kernel(1, 5)}), task(2, {kernel(1, 5)})}};
  workload.tasks[0].period = 4;
  workload.tasks[1].offset = 4;
  const auto releases = periodic_releases(workload, 9, 100);
  std::vector<std::pair<size_t, int64_t>> found;
  for (const Release& release : *releases) found.emplace_back(release.task, release.time);
  CHECK(found == std::vector<std::pair<size_t, int64_t>>{{0, 0}, {0, 4}, {1, 4}, {0, 8}});
}

namespace {

// One kernel in each stream, launched at 0, blocks that all need the same: algorithm 2.
void check_against_finish_times(uint32_t seed) {
  Random random(seed);
  Workload workload;
  workload.gpu.multiprocessors = between(random, 1, 4);
  workload.gpu.capacity = {between(random, 1, 5), 8 + between(random, 0, 9), 0, 0};
  const Amounts need = {1, between(random, 1, 8), 0, 0};
  std::vector<Job> jobs;
  for (int64_t i = between(random, 1, 8); i > 0; --i) {
    jobs.push_back({between(random, 1, 9), between(random, 1, 30)});
    workload.tasks.push_back(task(i, {kernel(jobs.back().pieces, jobs.back().cycles, need)}));
  }
  const int64_t slots = fitting(workload.gpu.capacity, need) * workload.gpu.multiprocessors;
  std::vector<Release> releases;
  for (size_t i = 0; i < jobs.size(); ++i) releases.push_back({i, 0});
  RunOptions options;
  options.placement = static_cast<Placement>(between(random, 0, 3));
  REQUIRE(simulate(workload, releases, options)->finish == *fifo_finish_times(jobs, slots));
}

}  // namespace

TEST_CASE("simulation and algorithm 2 agree") {
  for (uint32_t seed = 0; seed < 2000; ++seed) check_against_finish_times(seed);
}

TEST_CASE("simulation and algorithm 2 agree on many sets", "[.][slow]") {
  for (uint32_t seed = 0; seed < 100'000; ++seed) check_against_finish_times(seed);
}

TEST_CASE("simulation: a million jobs", "[.][slow]") {
  for (const NullStream rule : {NullStream::none, NullStream::legacy}) {
    Random random(1);
    Workload workload{tx2(), {}};
    workload.gpu.null_stream = rule;
    for (int64_t i = 0; i < 1'000'000; ++i) {
      const Operation copy = Copy{Direction::to_device, 1};
      workload.tasks.push_back(task(i / 10, {copy, kernel(between(random, 1, 10), between(random, 1, 9))}, i / 10 % 3));
      workload.tasks.back().offset = between(random, 0, 8'000'000);
    }
    const auto begin = std::chrono::steady_clock::now();
    const auto releases = periodic_releases(workload, INT64_MAX, 1'000'000);
    const auto run = simulate(workload, *releases);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    std::cout << run->finish.size() << " jobs simulated in " << taken.count() << " s" << std::endl;
    CHECK(run->finish.size() == 1'000'000);
  }
}
