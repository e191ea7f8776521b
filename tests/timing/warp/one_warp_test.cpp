// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/warp/one_warp.hpp"

#include <catch2/catch.hpp>

#include "tests/ir/build_kernel.hpp"
#include "tests/timing/toy_machine.hpp"

using namespace warpspan;
using test::BlockSpec;
using test::build_kernel;
using test::connect;
using test::loop;
using test::TestKernel;
using test::toy_machine;

namespace {

struct Times {
  int64_t best, average, worst;
  friend bool operator==(const Times&, const Times&) = default;
};

int64_t time_of(const TestKernel& k, const timing::Machine& machine, timing::Case which) {
  const auto costs = costs_of(k.kernel, machine);
  REQUIRE(costs.ok());
  const auto time = one_warp_time({k.kernel, k.flow, *costs, machine}, which);
  REQUIRE(time.ok());
  return *time;
}

Times times(const TestKernel& k) {
  const timing::Machine machine = toy_machine();
  using enum timing::Case;
  return {time_of(k, machine, best), time_of(k, machine, average), time_of(k, machine, worst)};
}

}  // namespace

TEST_CASE("independent instructions issue a gap apart, the last one completes") {
  CHECK(times(build_kernel({{"C", {}}})) == Times{20, 20, 20});
  CHECK(times(build_kernel({{"CCC", {}}})) == Times{40, 40, 40});
}

TEST_CASE("a dependent instruction waits for its operand") {
  TestKernel k = build_kernel({{"CC", {}}});
  connect(k, 0, {}, {0});
  connect(k, 1, {0}, {1});
  CHECK(times(k) == Times{40, 40, 40});
  TestKernel load = build_kernel({{"LC", {}}});
  connect(load, 0, {}, {0});
  connect(load, 1, {0}, {1});
  CHECK(times(load) == Times{70, 90, 120});
}

TEST_CASE("a second write waits for the first") {
  TestKernel k = build_kernel({{"LC", {}}});
  connect(k, 0, {}, {0});
  connect(k, 1, {}, {0});
  CHECK(times(k).worst == 120);
}

TEST_CASE("a warp waits for a unit it keeps busy itself, in the worst case") {
  CHECK(times(build_kernel({{"SS", {}}})) == Times{40, 40, 80});
  // The core in between takes no time of it: issue at 0, 10, 40.
  CHECK(times(build_kernel({{"SCS", {}}})).worst == 80);
  CHECK(times(build_kernel({{"SCS", {}}})).best == 50);
}

TEST_CASE("transactions hold the unit and lengthen nothing else") {
  TestKernel k = build_kernel({{"LL", {}}});
  k.flow.transactions[0] = 32;
  k.flow.transactions[1] = 1;
  // 32 transactions hold the unit for 160 cycles; the second load issues after that.
  CHECK(times(k).worst == 260);
  CHECK(times(k).best == 60);
}

TEST_CASE("results are waited for at the end") { CHECK(times(build_kernel({{"LC", {}}})).worst == 100); }

TEST_CASE("ways join with the later of each") {
  // Left: a load nobody waits for in its block; right: two additions. Then a read of the loaded register.
  TestKernel k = build_kernel({{"C", {1, 2}, false, 3}, {"L", {3}, false, 3}, {"CCC", {3}, false, 3}, {"C", {}}});
  connect(k, 1, {}, {0});
  connect(k, 5, {0}, {1});
  // Left: load at 10, ready at 110. Right: ends with an issue at 30, next at 40. Joined: next at 40 or 110, so 110
  // + 20.
  CHECK(times(k).worst == 130);
}

TEST_CASE("a loop settles into a period and is not simulated to its end") {
  TestKernel k = build_kernel({{"C", {1}, false, 1}, {"LC", {1, 2}, false, 2, 0}, {"C", {}}}, {loop(1, 1000000000)});
  connect(k, 1, {0}, {1});
  connect(k, 2, {1}, {0});
  // Each round: load, wait 100, add, wait 20.
  CHECK(times(k).worst == 10 + 120LL * 1000000000 - 20 + 10 + 20);
}

TEST_CASE("what is outstanding is carried round a loop") {
  // The load of one round is used in the next; one round alone would hide that.
  TestKernel k = build_kernel({{"C", {1}, false, 1}, {"CL", {1, 2}, false, 2, 0}, {"C", {}}}, {loop(1, 4)});
  connect(k, 1, {1}, {2});
  connect(k, 2, {}, {1});
  // Add at 10, load at 20 (ready 120), add at 120, load at 130, ... add at 340, load at 350: then the last add at 360
  // and the load's end at 450.
  CHECK(times(k).worst == 450);
}

TEST_CASE("every trip count gives what simulating it round by round gives") {
  for (int64_t trips = 1; trips < 40; ++trips) {
    TestKernel k = build_kernel({{"C", {1}, false, 1}, {"SCL", {1, 2}, false, 2, 0}, {"C", {}}}, {loop(1, trips)});
    connect(k, 1, {3}, {1});
    connect(k, 2, {1}, {2});
    connect(k, 3, {2}, {3});
    std::string unrolled = "C";
    for (int64_t i = 0; i < trips; ++i) unrolled += "SCL";
    TestKernel flat = build_kernel({{unrolled + "C", {}}});
    for (size_t i = 0; i < static_cast<size_t>(trips); ++i) {
      connect(flat, 3 * i + 1, {3}, {1});
      connect(flat, 3 * i + 2, {1}, {2});
      connect(flat, 3 * i + 3, {2}, {3});
    }
    CHECK(times(k) == times(flat));
  }
}

TEST_CASE("sides of a divergent branch are timed apart, so that their order does not matter") {
  TestKernel k = build_kernel({{"L", {1, 2}, true, 3}, {"C", {3}, false, 3}, {"S", {3}, false, 3}, {"C", {}}});
  // The load ends at 100, one side takes 20, the other 40 (its unit is held longer than its result takes), the rest 20.
  CHECK(times(k).worst == 180);
}

TEST_CASE("a barrier waits for all that is outstanding") {
  TestKernel k = build_kernel({{"LC", {}}});
  ir::Operation barrier;
  barrier.kind = ir::OperationKind::barrier;
  k.kernel.operations.push_back(barrier);
  k.kernel.instructions[1].operation = 3;
  CHECK(times(k).worst == 110);
  CHECK(times(k).best == 50);
}

TEST_CASE("a longer latency never shortens the worst case") {
  TestKernel k = build_kernel({{"LS", {1, 2}, true, 3, ir::no_loop},
                               {"CSL", {3}, false, 3},
                               {"LLC", {3}, false, 3},
                               {"SC", {3, 4}, false, 4, 0},
                               {"C", {}}},
                              {loop(3, 7)});
  for (size_t i = 0; i + 1 < k.kernel.instructions.size(); ++i) {
    connect(k, i, {static_cast<ir::RegisterId>(i / 2)}, {static_cast<ir::RegisterId>(i)});
  }
  int64_t before = 0;
  for (int64_t latency = 1; latency < 200; latency += 3) {
    timing::Machine machine = toy_machine();
    machine.otherwise[static_cast<size_t>(ir::OperationKind::load_global)]->latency.worst = latency;
    const int64_t time = time_of(k, machine, timing::Case::worst);
    CHECK(time >= before);
    before = time;
  }
}
