// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/reproduce/fermi_models.hpp"

#include <catch2/catch.hpp>

using namespace warpspan::app;

TEST_CASE("the sum of cycles per instruction weighs each kind") {
  CHECK(sum_of_cycles({}, 400) == 0);
  CHECK(sum_of_cycles({1, 0, 0, 0, 0, 0}, 400) == 18);
  CHECK(sum_of_cycles({0, 1, 0, 0, 0, 0}, 400) == 6);
  CHECK(sum_of_cycles({0, 0, 1, 0, 0, 0}, 400) == 26);
  CHECK(sum_of_cycles({0, 0, 0, 1, 0, 0}, 400) == 30);
  CHECK(sum_of_cycles({0, 0, 0, 0, 1, 0}, 400) == 34);
  CHECK(sum_of_cycles({0, 0, 0, 0, 0, 2}, 400) == 800);
  CHECK(sum_of_cycles({1, 78, 40, 9, 9, 8}, 0) == 2102);
}

TEST_CASE("one warp of the memory-warp model computes, then waits for each load") {
  CHECK(memory_warp_parallelism(146, 2, 8, 400) == 3492);
  CHECK(memory_warp_parallelism(10, 2, 0, 400) == 20);
}

TEST_CASE("a scheduler takes its warps in turn") {
  using Starts = std::vector<std::vector<int64_t>>;
  CHECK(warp_timeline({false}, 1) == Starts{{0}});
  CHECK(warp_timeline({false, false}, 2) == Starts{{0, 6}, {2, 8}});
  CHECK(warp_timeline({false, true}, 2) == Starts{{0, 18}, {2, 20}});
  // Four warps fill the six cycles between two instructions of one, and more.
  CHECK(warp_timeline({false, false}, 4) == Starts{{0, 8}, {2, 10}, {4, 12}, {6, 14}});
}
