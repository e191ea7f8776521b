// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/response/longest_wait.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "tests/solver/response/random_workload.hpp"

using namespace warpspan::solver::response_times;

namespace {

// The most of sum of o_q w_q min(C_q, u_q) over all ways to share out u, by trying them.
int64_t most_of_analysed(const std::vector<Analysed>& analysed, size_t from, int64_t u) {
  if (from == analysed.size()) return 0;
  int64_t most = 0;
  for (int64_t given = 0; given <= u; ++given) {
    const Analysed& kernel = analysed[from];
    const int64_t here = kernel.blocks * kernel.weight * std::min(kernel.block_time, given);
    most = std::max(most, here + most_of_analysed(analysed, from + 1, u - given));
  }
  return most;
}

bool holds(const Wait& wait, int64_t u) {
  int64_t right = most_of_analysed(wait.analysed, 0, u);
  for (const Interfering& interfering : wait.interfering) {
    right += static_cast<int64_t>(std::min(*interfering.at_once.value() * u, *interfering.total.value()));
  }
  return wait.full * u <= right;
}

Wait random_wait(Random& random) {
  Wait wait;
  wait.full = between(random, 1, 12);
  for (int64_t i = between(random, 0, 3); i > 0; --i) {
    wait.analysed.push_back({1, between(random, 0, 5), between(random, 1, 4), between(random, 0, 4)});
  }
  for (int64_t i = between(random, 0, 3); i > 0; --i) {
    wait.interfering.push_back({between(random, 0, 9), between(random, 0, 30)});
  }
  // The other theorem says nothing.
  wait.interfering_blocks = 1000;
  wait.interfering_times = {{1000, 1000}};
  return wait;
}

}  // namespace

TEST_CASE("longest wait: the largest time for which the weights allow it, rounded up") {
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    const Wait wait = random_wait(random);
    const auto found = longest_wait(wait);
    REQUIRE(found.has_value());
    for (int64_t u = *found + 1; u < *found + 10; ++u) REQUIRE_FALSE(holds(wait, u));
    REQUIRE((*found == 0 || holds(wait, *found - 1)));
  }
}

TEST_CASE("longest wait: in whole rounds of the blocks that take longest") {
  Wait wait;
  wait.least_blocks = 8;
  wait.analysed = {{1, 6, 3, 1}};
  wait.interfering = {{1000, 1000}};
  wait.interfering_blocks = 17;
  wait.interfering_times = {{5, 1}, {2, 16}};
  CHECK(longest_wait(wait) == 8);  // 23 blocks are two rounds at most: of 5 and of 3
  wait.interfering_blocks = 1;
  CHECK(longest_wait(wait) == 0);
}

TEST_CASE("longest wait: beyond all numbers is nothing") {
  Wait wait;
  const warpspan::support::WideInteger large = INT64_MAX;
  wait.interfering = {{large * large, large * large}};
  wait.interfering_blocks = large * large;
  wait.interfering_times = {{INT64_MAX, large * large}};
  CHECK_FALSE(longest_wait(wait));
}
