// SPDX-License-Identifier: GPL-3.0-or-later
// Whom a warp waits for on its worst path, in the numbers of the toy machine.
#include <catch2/catch.hpp>
#include <numeric>
#include <optional>

#include "tests/ir/build_kernel.hpp"
#include "tests/timing/toy_machine.hpp"
#include "timing/warp/one_warp.hpp"

using namespace warpspan;
using test::build_kernel;
using test::connect;
using test::loop;
using test::TestKernel;

namespace {

// Checks that they add up.
timing::WarpWaits waits_of(const TestKernel& k, timing::Order order = timing::Order::given,
                           const timing::Machine& machine = test::toy_machine()) {
  const auto costs = costs_of(k.kernel, machine);
  REQUIRE(costs.ok());
  const auto time = one_warp_time({k.kernel, k.flow, *costs, machine}, timing::Case::worst, order);
  REQUIRE(time.ok());
  const auto waits = worst_case_waits({k.kernel, k.flow, *costs, machine}, order, *time);
  REQUIRE(waits);
  CHECK(std::accumulate(waits->cycles.begin(), waits->cycles.end(), int64_t{0}) == *time);
  return *waits;
}

using Cycles = std::vector<int64_t>;

}  // namespace

TEST_CASE("in any order a warp waits for each instruction until it is over") {
  TestKernel k = build_kernel({{"LCS", {1}, false, 1}, {"CL", {1, 2}, false, 2, 0}, {"C", {}}}, {loop(1, 9)});
  k.flow.transactions[0] = k.flow.transactions[4] = 32;  // for 160 cycles in the unit, longer than the result takes
  CHECK(waits_of(k, timing::Order::any).cycles == Cycles{160, 20, 40, 9 * 20, 9 * 160, 20});
}

TEST_CASE("who waits for an operand waits for what produces it") {
  TestKernel k = build_kernel({{"LCC", {}}});
  connect(k, 0, {}, {0});
  connect(k, 1, {}, {1});
  connect(k, 2, {0}, {2});
  // The addition in between issues at 10, the last one at 100; it ends at 120.
  CHECK(waits_of(k).cycles == Cycles{100, 0, 20});
}

TEST_CASE("who waits for a group of copies to be closed waits for all that was begun before") {
  TestKernel k = build_kernel({{"LCC", {}}});
  ir::Operation commit = k.kernel.operations[1];
  commit.facts.synchronisation = ir::Synchronisation::commit;
  k.kernel.operations.push_back(commit);
  k.kernel.instructions[1].operation = 3;
  connect(k, 1, {}, {0});
  connect(k, 2, {0}, {1});
  CHECK(waits_of(k).cycles == Cycles{10, 90, 20});
}

TEST_CASE("an instruction that nothing else holds up waits for the one before it") {
  CHECK(waits_of(build_kernel({{"CCC", {}}})).cycles == Cycles{10, 10, 20});
}

TEST_CASE("who waits for a unit waits for the one that holds it") {
  // Issues at 0, 10, 40; the last one holds its unit up to 80.
  CHECK(waits_of(build_kernel({{"SCS", {}}})).cycles == Cycles{40, 0, 40});
}

TEST_CASE("a barrier that waits for a load has the load to blame") {
  TestKernel k = build_kernel({{"LCC", {}}});
  ir::Operation barrier;
  barrier.kind = ir::OperationKind::barrier;
  k.kernel.operations.push_back(barrier);
  k.kernel.instructions[2].operation = 3;
  CHECK(waits_of(k).cycles == Cycles{100, 0, 10});
}

TEST_CASE("the longer way counts, and what it leaves open is waited for behind the join") {
  TestKernel k = build_kernel({{"C", {1, 2}, false, 3}, {"L", {3}, false, 3}, {"CCC", {3}, false, 3}, {"C", {}}});
  connect(k, 1, {}, {0});
  connect(k, 5, {0}, {1});
  // The additions are issued later; the load, issued at 10, keeps the last one from 40 to 110.
  const timing::WarpWaits waits = waits_of(k);
  CHECK(waits.cycles == Cycles{10, 80, 10, 10, 0, 20});
  CHECK(waits.executions == Cycles{1, 0, 1, 1});
}

TEST_CASE("both sides of a divergent branch count, each until it is over") {
  const TestKernel k = build_kernel({{"L", {1, 2}, true, 3}, {"C", {3}, false, 3}, {"S", {3}, false, 3}, {"C", {}}});
  CHECK(waits_of(k).cycles == Cycles{100, 20, 40, 20});
}

TEST_CASE("the rounds of a loop that are not simulated count too") {
  for (const int64_t trips : {1, 2, 3, 1000, 1'000'000'000}) {
    TestKernel k = build_kernel({{"C", {1}, false, 1}, {"LC", {1, 2}, false, 2, 0}, {"C", {}}}, {loop(1, trips)});
    connect(k, 1, {0}, {1});
    connect(k, 2, {1}, {0});
    const timing::WarpWaits waits = waits_of(k);
    CHECK(waits.cycles == Cycles{10, 100 * trips, 20 * (trips - 1) + 10, 20});
    CHECK(waits.executions == Cycles{1, trips, 1});
  }
}

TEST_CASE("a load that a loop repeats counts for its rounds, one before the loop only for the first") {
  // The value of a round is loaded in the one before it: when the loop begins the same is outstanding as in each round
  // after it, but because of another load.
  TestKernel k = build_kernel({{"L", {1}, false, 1}, {"CL", {1, 2}, false, 2, 0}, {"C", {}}}, {loop(1, 1000)});
  connect(k, 0, {}, {0});
  connect(k, 1, {0}, {});
  connect(k, 2, {}, {0});
  // Each round: the addition waits 100 cycles for the load before it and the load 10 for the addition.
  CHECK(waits_of(k).cycles == Cycles{100, 1000 * 10, 999 * 100 + 100, 0});
}

TEST_CASE("nested loops count by all their rounds") {
  TestKernel k = build_kernel({{"C", {1}, false, 1},
                               {"C", {2}, false, 2, 0},
                               {"LC", {2, 3}, false, 3, 1},
                               {"C", {1, 4}, false, 4, 0},
                               {"C", {}}},
                              {loop(1, 30), loop(2, 50, 0)});
  connect(k, 2, {0}, {1});
  connect(k, 3, {1}, {0});
  const timing::WarpWaits waits = waits_of(k);
  CHECK(waits.executions == Cycles{1, 30, 1500, 30, 1});
  CHECK(waits.cycles[2] == 1500 * 100);
}

TEST_CASE("every trip count has the waits that its rounds have when they are written out") {
  for (int64_t trips = 1; trips < 40; ++trips) {
    TestKernel k = build_kernel({{"C", {1}, false, 1}, {"SCL", {1, 2}, false, 2, 0}, {"C", {}}}, {loop(1, trips)});
    std::string rounds = "C";
    for (int64_t i = 0; i < trips; ++i) rounds += "SCL";
    TestKernel flat = build_kernel({{rounds + "C", {}}});
    const auto connect_round = [](TestKernel& kernel, size_t first) {
      connect(kernel, first, {3}, {1});
      connect(kernel, first + 1, {1}, {2});
      connect(kernel, first + 2, {2}, {3});
    };
    connect_round(k, 1);
    for (size_t i = 0; i < static_cast<size_t>(trips); ++i) connect_round(flat, 3 * i + 1);
    const Cycles written_out = waits_of(flat).cycles;
    Cycles sums(5);
    for (size_t i = 0; i < written_out.size(); ++i) {
      sums[i == 0 ? 0 : i + 1 == written_out.size() ? 4 : (i - 1) % 3 + 1] += written_out[i];
    }
    CHECK(waits_of(k).cycles == sums);
  }
}

TEST_CASE("multiplications of a warp group that add to the same sums follow one another in their unit") {
  timing::Machine machine = test::toy_machine();
  timing::OperationFigures figures = *machine.otherwise[static_cast<size_t>(ir::OperationKind::special)];
  figures.latency = {100, 100, 100};
  constexpr auto kind = ir::OperationKind::matrix_group;
  machine.operations[static_cast<size_t>(kind)] = machine.otherwise[static_cast<size_t>(kind)] = figures;
  TestKernel k = build_kernel({{"LLC", {}}});
  const auto add = [&k](ir::Synchronisation what) {
    ir::Operation operation;
    operation.kind = kind;
    operation.facts.synchronisation = what;
    k.kernel.operations.push_back(operation);
    return static_cast<uint32_t>(k.kernel.operations.size() - 1);
  };
  const uint32_t multiply = add(ir::Synchronisation::arrive), fence = add(ir::Synchronisation::none);
  const uint32_t load = k.kernel.instructions[0].operation;
  connect(k, 0, {0}, {0});
  connect(k, 1, {0}, {0});
  connect(k, 2, {0}, {1});
  const auto cycles = [&](uint32_t first, uint32_t second, std::optional<uint32_t> third = std::nullopt) {
    TestKernel changed = k;
    changed.kernel.instructions[0].operation = first;
    changed.kernel.instructions[1].operation = second;
    if (third) changed.kernel.instructions[2].operation = *third;
    return waits_of(changed, timing::Order::given, machine).cycles;
  };
  // The second is asked for when the unit is free, at 40; who reads the sums waits until 140.
  CHECK(cycles(multiply, multiply) == Cycles{40, 100, 20});
  CHECK(cycles(load, multiply) == Cycles{100, 100, 20});  // what is no sum is waited for
  CHECK(cycles(multiply, load) == Cycles{100, 100, 20});  // by another instruction the sums are
  CHECK(cycles(multiply, multiply, fence) == Cycles{40, 100, 100});
  CHECK(cycles(multiply, multiply, multiply) == Cycles{40, 40, 100});
}
