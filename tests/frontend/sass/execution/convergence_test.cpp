// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/execution/convergence.hpp"

#include <catch2/catch.hpp>

using namespace warpspan::execution;
using Wait = Convergence::Wait;

TEST_CASE("convergence: lanes of a barrier register wait for each other, and the others do not") {
  Convergence lanes(all_lanes);
  for (unsigned lane = 0; lane < 32; ++lane) lanes.set_barrier(0, lane, 0xffff);
  lanes.diverge(0, {{10, 0xff}, {20, 0xff00}, {30, 0xffff0000}});
  CHECK(lanes.group(*lanes.choose()).at == 10);
  lanes.wait(*lanes.choose(), Wait::register_lanes, 0, 0xff);
  CHECK(lanes.group(*lanes.choose()).at == 20);
  lanes.group(*lanes.choose()).at = 10;
  lanes.wait(*lanes.choose(), Wait::register_lanes, 0, 0xff00);
  CHECK(lanes.group(*lanes.choose()).at == 11);
  CHECK(lanes.group(*lanes.choose()).lanes == 0xffff);
}

TEST_CASE("convergence: nobody waits for lanes that have ended or left") {
  Convergence lanes(all_lanes);
  for (unsigned lane = 0; lane < 32; ++lane) lanes.set_barrier(2, lane, all_lanes);
  lanes.diverge(0, {{10, 1}, {20, 2}, {30, 0xfffffffc}});
  lanes.wait(*lanes.choose(), Wait::register_lanes, 2, 1);
  lanes.end(*lanes.choose(), 2);
  CHECK(lanes.group(*lanes.choose()).at == 30);
  lanes.leave_barrier(2, 0xfffffffc);
  CHECK(lanes.group(*lanes.choose()).lanes == 1);
  CHECK(lanes.group(*lanes.choose()).at == 11);
}

// Lanes 0 and 1 wait in the outer activation for 2 and 3, which are in an inner one.
TEST_CASE("convergence: lanes of another activation of a function do not make up a group") {
  Convergence lanes(0xf);
  for (unsigned lane = 0; lane < 4; ++lane) lanes.set_barrier(6, lane, 0xf);
  lanes.diverge(0, {{10, 3}, {50, 0xc}});
  lanes.wait(*lanes.choose(), Wait::register_lanes, 6, 3);
  for (unsigned lane = 2; lane < 4; ++lane) lanes.set_barrier(6, lane, 0xc);
  lanes.group(*lanes.choose()).at = 10;
  lanes.wait(*lanes.choose(), Wait::register_lanes, 6, 0xc);
  CHECK(lanes.group(*lanes.choose()).lanes == 0xc);
  CHECK(lanes.group(*lanes.choose()).at == 11);
}

TEST_CASE("convergence: a group that is postponed lets others go first") {
  Convergence lanes(all_lanes);
  lanes.diverge(0, {{10, 1}, {20, 2}, {30, 4}});
  lanes.postpone(*lanes.choose());
  CHECK(lanes.group(*lanes.choose()).at == 20);
  lanes.postpone(*lanes.choose());
  CHECK(lanes.group(*lanes.choose()).at == 30);
  lanes.postpone(*lanes.choose());
  CHECK(lanes.group(*lanes.choose()).at == 10);
}
