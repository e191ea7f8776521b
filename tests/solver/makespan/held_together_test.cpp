#include "solver/makespan/held_together.hpp"

#include <catch2/catch.hpp>
#include <random>

using namespace warpspan;
using namespace warpspan::solver;

namespace {

int64_t value(const std::vector<Stay>& stays, int64_t unit) { return held_together(stays, unit).value().value(); }

// The theorem as it stands: cycle by cycle.
int64_t by_cycles(const std::vector<Stay>& stays, int64_t unit) {
  int64_t sum = 0;
  for (int64_t cycle = 0; cycle < 100; ++cycle) {
    int64_t most = 0;
    for (const Stay& stay : stays) {
      if (stay.cycles > cycle) most = std::max(most, unit / stay.servers);
    }
    sum += most;
  }
  return sum;
}

}  // namespace

TEST_CASE("stays on single servers count the longest") {
  CHECK(value({}, 1) == 0);
  CHECK(value({{1, 1}, {2, 1}, {3, 1}}, 1) == 3);
  CHECK(value({{8, 1}, {1, 1}}, 1) == 8);
}

TEST_CASE("cycles that only several servers are held for count a share") {
  CHECK(value({{1, 1}, {4, 2}}, 2) == 2 + 3);
  CHECK(value({{4, 2}, {6, 3}}, 6) == 4 * 3 + 2 * 2);
}

TEST_CASE("what is held together is the theorem's sum, and no more than resource by resource") {
  std::mt19937 random(5);
  const auto up_to = [&](int64_t most) { return static_cast<int64_t>(random() % static_cast<uint32_t>(most + 1)); };
  constexpr int64_t unit = 12;
  for (int i = 0; i < 2000; ++i) {
    std::vector<Stay> stays(static_cast<size_t>(up_to(5)));
    int64_t apart = 0;
    for (Stay& stay : stays) {
      stay = {up_to(20), 1 + up_to(3)};
      apart += stay.cycles * (unit / stay.servers);
    }
    REQUIRE(value(stays, unit) == by_cycles(stays, unit));
    REQUIRE(value(stays, unit) <= apart);
  }
}
