// SPDX-License-Identifier: GPL-3.0-or-later
// What a warp holds where its lanes are counted one by one, against runs in which they fall into any groups.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "tests/thinned.hpp"
#include "tests/timing/costs/memory_demand.hpp"

using namespace warpspan;
using test::sum;

namespace {

constexpr size_t memory = test::memory_of_toy;

struct Costs {
  int64_t first = 5, further = 5;  // cycles of a transaction
  uint32_t transactions = 32;      // of all lanes together
};

// for (i = 0; i < trips; ++i) { load; if (...) continue; load; if (...) break; } load;
test::TestKernel kernel_with(int64_t trips, const Costs& costs, ir::MemorySpace space, int bytes) {
  ir::Loop loop;
  loop.header = 1;
  loop.trip_count = trips;
  test::TestKernel k =
      test::build_kernel({{"C", {1}}, {"LC", {1, 2}, true, 2, 0}, {"CL", {1, 3}, true, 3, 0}, {"L", {}}}, {loop});
  set_loads(k, space, costs.transactions);
  k.kernel.operations[0].bytes = bytes;
  return k;
}

timing::Machine machine(const Costs& costs) {
  return test::toy_with_memory({ir::OperationKind::load_global}, costs.further, costs.first);
}
timing::Demand demand_of(const test::TestKernel& k, const Costs& costs) { return test::demand_of(k, machine(costs)); }
timing::Occupants occupants_of(const test::TestKernel& k, const Costs& costs) {
  return test::occupants_of(k, machine(costs));
}

// What one warp holds the memory for: any lanes that stand at a block execute it together, and fall into as many
// transactions as there can be.
int64_t run(int64_t trips, const Costs& costs, std::mt19937& random) {
  const auto below = [&random](int64_t limit) { return std::uniform_int_distribution<int64_t>(0, limit - 1)(random); };
  struct Lane {
    int block = 1;
    int64_t turns = 1;
  };
  std::vector<Lane> lanes(32);
  int64_t held = 0;
  const auto access = [&](size_t count) {
    const int64_t pieces = std::min<int64_t>(costs.transactions, static_cast<int64_t>(count));
    held += costs.first + (pieces - 1) * costs.further;
  };
  const int64_t largest_group = 1 + below(32), goes_on = below(5);
  while (std::any_of(lanes.begin(), lanes.end(), [](const Lane& lane) { return lane.block != 3; })) {
    const Lane& leader = lanes[static_cast<size_t>(below(32))];
    const int block = leader.block;
    if (block == 3) continue;
    std::vector<Lane*> group;
    for (Lane& lane : lanes) {
      if (lane.block == block && static_cast<int64_t>(group.size()) < largest_group) group.push_back(&lane);
    }
    access(group.size());
    for (Lane* lane : group) {
      const bool again = block == 1 ? below(8) == 0 : below(5) < goes_on;
      if (block == 1 && !again) {
        lane->block = 2;
      } else if (again && lane->turns < trips) {
        ++lane->turns;
        lane->block = 1;
      } else {
        lane->block = block == 1 ? 2 : 3;
      }
    }
  }
  access(32);
  return held;
}

// for (i = 0; i < trips; ++i) { load; if (...) load; else { load; load; } load; if (...) break; } load;
test::TestKernel kernel_with_sides(int64_t trips, const Costs& costs) {
  ir::Loop loop;
  loop.header = 1;
  loop.trip_count = trips;
  test::TestKernel k = test::build_kernel({{"C", {1}},
                                           {"LC", {2, 3}, true, 4, 0},
                                           {"L", {4}, false, 4, 0},
                                           {"LL", {4}, false, 4, 0},
                                           {"LC", {1, 5}, true, 5, 0},
                                           {"L", {}}},
                                          {loop});
  set_loads(k, ir::MemorySpace::global, costs.transactions);
  k.kernel.operations[0].bytes = 4;
  return k;
}

// What one warp holds the memory for whose lanes go on together where both sides end, and leave when they like.
int64_t run_sides(int64_t trips, const Costs& costs, std::mt19937& random) {
  const auto below = [&random](int64_t limit) { return std::uniform_int_distribution<int64_t>(0, limit - 1)(random); };
  int64_t held = 0;
  const auto access = [&](int64_t lanes) {
    if (lanes > 0) held += costs.first + (std::min<int64_t>(costs.transactions, lanes) - 1) * costs.further;
  };
  int64_t inside = 32;
  const int64_t leave = below(3), take_second = below(4);
  for (int64_t i = 0; i < trips && inside > 0; ++i) {
    access(inside);
    int64_t second = 0;
    for (int64_t lane = 0; lane < inside; ++lane) second += below(4) < take_second ? 1 : 0;
    access(inside - second);
    access(second);
    access(second);
    access(inside);
    if (leave == 0) inside -= below(inside);
  }
  access(32);
  return held;
}

}  // namespace

TEST_CASE("scattered requests on both sides of a branch count as those of lanes that take the longer one") {
  const Costs costs;
  const test::TestKernel k = kernel_with_sides(10, costs);
  const auto demand = demand_of(k, costs);
  CHECK(demand.resources[memory].worker == (10 * 4 + 1) * 32 * 5);
  CHECK(sum(occupants_of(k, costs).resources[memory]) == demand.resources[memory].worker);
  // Of 32 lanes alone that need far more than the warp, each side counts.
  Costs dense = costs;
  dense.transactions = 4;
  CHECK(demand_of(kernel_with_sides(10, dense), dense).resources[memory].worker == (10 * 5 + 1) * 4 * 5);
  // The first transaction is cheaper: 32 of one lane are a little more than one of 32, and less than both sides.
  Costs cheap = costs;
  cheap.first = 1;
  CHECK(demand_of(kernel_with_sides(10, cheap), cheap).resources[memory].worker == (10 * 4 + 1) * 32 * 5);
  CHECK(demand_of(kernel_with(10, cheap, ir::MemorySpace::global, 0), cheap).resources[memory].worker >
        (10 * 2 + 1) * 32 * 5);
}

TEST_CASE("no run of lanes that take sides holds a resource for longer") {
  std::mt19937 random(warpspan::test::first_seed(11, 4000));
  double nearest = 0;
  for (int seed = 0; seed < warpspan::test::thinned_seeds(4000); ++seed) {
    const auto one_of = [&random](std::initializer_list<int64_t> values) {
      return values.begin()[std::uniform_int_distribution<size_t>(0, values.size() - 1)(random)];
    };
    Costs costs;
    costs.further = one_of({1, 2, 5, 9});
    costs.first = one_of({0, 1}) == 0 ? costs.further : std::min<int64_t>(costs.further, one_of({1, 3}));
    costs.transactions = static_cast<uint32_t>(one_of({1, 4, 30, 31, 32}));
    const int64_t trips = one_of({1, 2, 3, 10});
    const auto demand = demand_of(kernel_with_sides(trips, costs), costs);
    const int64_t held = run_sides(trips, costs, random);
    CAPTURE(seed, trips, costs.first, costs.further, costs.transactions);
    REQUIRE(held <= demand.resources[memory].worker);
    nearest = std::max(nearest, static_cast<double>(held) / static_cast<double>(demand.resources[memory].worker));
  }
  CHECK(nearest > warpspan::test::or_half(0.95));
}

TEST_CASE("lanes that go by themselves have one transaction each, not one of each lane every time") {
  const Costs costs;
  const test::TestKernel k = kernel_with(10, costs, ir::MemorySpace::global, 4);
  const auto demand = demand_of(k, costs);
  // Two loads a turn for each lane alone, and one of all lanes behind the loop.
  CHECK(demand.resources[memory].worker == 32 * 10 * 2 * 5 + 32 * 5);
  CHECK(sum(occupants_of(k, costs).resources[memory]) == demand.resources[memory].worker);
  // What may have a piece for each word.
  CHECK(demand_of(kernel_with(10, costs, ir::MemorySpace::shared, 16), costs).resources[memory].worker ==
        32 * 10 * 2 * 4 * 5 + 32 * 5);
  // All lanes together never cost more than a lane as often.
  Costs one = costs;
  one.transactions = 1;
  CHECK(demand_of(kernel_with(10, one, ir::MemorySpace::global, 4), one).resources[memory].worker ==
        32 * 10 * 2 * 5 + 5);
  // Nothing is known of an access whose bytes are not.
  CHECK(demand_of(kernel_with(10, costs, ir::MemorySpace::global, 0), costs).resources[memory].worker ==
        32 * 10 * 2 * 32 * 5 + 32 * 5);
}

TEST_CASE("no run of lanes in whatever groups holds a resource for longer") {
  std::mt19937 random(warpspan::test::first_seed(7, 4000));
  double nearest = 0;
  for (int seed = 0; seed < warpspan::test::thinned_seeds(4000); ++seed) {
    const auto one_of = [&random](std::initializer_list<int64_t> values) {
      return values.begin()[std::uniform_int_distribution<size_t>(0, values.size() - 1)(random)];
    };
    Costs costs;
    costs.further = one_of({1, 2, 5, 9});
    costs.first = one_of({0, 1}) == 0 ? costs.further : std::min<int64_t>(costs.further, one_of({1, 3}));
    costs.transactions = static_cast<uint32_t>(one_of({1, 2, 4, 31, 32}));
    const int64_t trips = one_of({1, 2, 3, 10});
    const auto demand = demand_of(kernel_with(trips, costs, ir::MemorySpace::global, 4), costs);
    const int64_t held = run(trips, costs, random);
    CAPTURE(seed, trips, costs.first, costs.further, costs.transactions);
    REQUIRE(held <= demand.resources[memory].worker);
    nearest = std::max(nearest, static_cast<double>(held) / static_cast<double>(demand.resources[memory].worker));
  }
  CHECK(nearest > warpspan::test::or_half(0.8));
}
