// SPDX-License-Identifier: GPL-3.0-or-later
// What a warp occupies from the issue on between two barriers.
#include <catch2/catch.hpp>

#include "tests/ir/build_kernel.hpp"
#include "tests/timing/costs/memory_demand.hpp"
#include "tests/timing/toy_machine.hpp"
#include "timing/bounds/retries.hpp"

using namespace warpspan;
using test::build_kernel;
using test::loop;
using test::TestKernel;

namespace {

timing::Machine machine_at_issue() {
  timing::Machine machine = test::toy_machine();
  for (timing::ResourceFigures& resource : machine.resources) resource.at_issue = true;
  return machine;
}

timing::Demand demand_of(const TestKernel& k) {
  return test::demand_of(k, machine_at_issue(), solver::SyncOrder::in_order);
}

// What counts in the way of warps of the scheduler.
const solver::ResourceDemand& joint(const timing::Demand& demand) {
  return demand.joint[static_cast<size_t>(timing::Interference::same_scheduler)];
}

}  // namespace

TEST_CASE("an interval occupies what a kernel of its instructions occupies") {
  // A load, a barrier, a loop of three iterations, a barrier: 20 times.
  const TestKernel k = build_kernel({{"C", {1}, false, 1},
                                     {"LB", {2}, false, 2, 0},
                                     {"CCS", {2, 3}, false, 3, 1},
                                     {"B", {1, 4}, false, 4, 0},
                                     {"L", {}}},
                                    {loop(1, 20), loop(2, 3, 0)});
  const TestKernel largest =
      build_kernel({{"LB", {1}, false, 1}, {"CCS", {1, 2}, false, 2, 0}, {"B", {}}}, {loop(1, 3)});
  const timing::Demand demand = demand_of(k);
  CHECK(demand.sync.points == 40);
  REQUIRE(joint(demand).interval);
  CHECK(*joint(demand).interval == joint(demand_of(largest)).worker);
  CHECK(*joint(demand).interval < joint(demand).worker / 15);
}

TEST_CASE("nothing is known of intervals in an unknown order") {
  const timing::Demand demand =
      demand_of(build_kernel({{"C", {1, 2}, true, 3}, {"B", {3}, false, 3}, {"CB", {3}, false, 3}, {"L", {}}}));
  CHECK_FALSE(demand.sync.points);
  CHECK_FALSE(joint(demand).interval);
}

TEST_CASE("intervals count only where warps synchronise in order") {
  const TestKernel k = build_kernel({{"CB", {1}, false, 1}, {"C", {}}});
  CHECK(joint(demand_of(k)).interval);
  CHECK_FALSE(joint(test::demand_of(k, machine_at_issue())).interval);
}

TEST_CASE("any interval may have all failed attempts of loops that other warps make longer") {
  const timing::Machine machine = machine_at_issue();
  TestKernel k = build_kernel({{"C", {}}});
  timing::Demand demand;
  const size_t resources = machine.resources.size();
  demand.resources.assign(resources, {10});
  demand.attempts.assign(resources, 0);
  demand.joint = {solver::ResourceDemand{100, std::nullopt, 20}, solver::ResourceDemand{}};
  timing::Load load;
  load.warps_per_block = load.device_warps = 5;
  const auto launched = [&] {
    auto found = timing::add_retries(k.kernel, demand, load, machine);
    REQUIRE(found.ok());
    return joint(*found);
  };
  const solver::ResourceDemand without = launched();
  CHECK(without.worker - *without.interval == 80);
  demand.attempts[1] = 7;
  const solver::ResourceDemand with = launched();
  CHECK(with.worker > without.worker);
  CHECK(*with.interval - *without.interval == with.worker - without.worker);
}
