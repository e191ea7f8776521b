// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/makespan/joint_occupancy.hpp"

#include <catch2/catch.hpp>
#include <random>

using namespace warpspan;
using namespace warpspan::solver;

namespace {

int64_t value(const std::vector<Occupancy>& step, int64_t unit) { return joint_occupancy(step, unit).value().value(); }

// The theorem as it stands: cycle by cycle.
int64_t by_cycles(const std::vector<Occupancy>& step, int64_t unit) {
  int64_t sum = 0;
  for (int64_t cycle = 0; cycle < 100; ++cycle) {
    int64_t most = 0;
    for (const Occupancy& occupancy : step) {
      if (occupancy.cycles > cycle) most = std::max(most, unit / occupancy.servers);
    }
    sum += most;
  }
  return sum;
}

}  // namespace

TEST_CASE("on single servers the longest counts") {
  CHECK(value({}, 1) == 0);
  CHECK(value({{1, 1}, {2, 1}, {3, 1}}, 1) == 3);
  CHECK(value({{8, 1}, {1, 1}}, 1) == 8);
}

TEST_CASE("cycles for which only resources of several servers are occupied count a share") {
  CHECK(value({{1, 1}, {4, 2}}, 2) == 2 + 3);
  CHECK(value({{4, 2}, {6, 3}}, 6) == 4 * 3 + 2 * 2);
}

TEST_CASE("what is occupied jointly is the theorem's sum, and no more than resource by resource") {
  std::mt19937 random(5);
  const auto up_to = [&](int64_t most) { return static_cast<int64_t>(random() % static_cast<uint32_t>(most + 1)); };
  constexpr int64_t unit = 12;
  for (int i = 0; i < 2000; ++i) {
    std::vector<Occupancy> step(static_cast<size_t>(up_to(5)));
    int64_t apart = 0;
    for (Occupancy& occupancy : step) {
      occupancy = {up_to(20), 1 + up_to(3)};
      apart += occupancy.cycles * (unit / occupancy.servers);
    }
    REQUIRE(value(step, unit) == by_cycles(step, unit));
    REQUIRE(value(step, unit) <= apart);
  }
}
