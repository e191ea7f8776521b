// What a warp holds from the issue on between two barriers.
#include <catch2/catch.hpp>

#include "tests/ir/build_kernel.hpp"
#include "tests/timing/toy_machine.hpp"
#include "timing/bounds/contention.hpp"
#include "timing/costs/cost.hpp"
#include "timing/warp/demand.hpp"

using namespace warpspan;
using test::build_kernel;
using test::loop;
using test::TestKernel;
using timing::PieceDemand;

namespace {

timing::Machine machine_at_issue() {
  timing::Machine machine = test::toy_machine();
  for (timing::ResourceFigures& resource : machine.resources) resource.at_issue = true;
  return machine;
}

std::optional<PieceDemand> piece_of(const TestKernel& k) {
  const timing::Machine machine = machine_at_issue();
  const auto costs = timing::costs_of(k.kernel, machine);
  REQUIRE(costs.ok());
  return timing::piece_demand(k.kernel, k.flow, *costs, machine);
}

// Of all of a kernel.
int64_t together(const TestKernel& k) {
  const timing::Machine machine = machine_at_issue();
  const auto costs = timing::costs_of(k.kernel, machine);
  REQUIRE(costs.ok());
  const auto demand = timing::resource_demand(k.kernel, k.flow, *costs, machine);
  REQUIRE(demand.ok());
  return demand->together[static_cast<size_t>(timing::Neighbour::scheduler)];
}

}  // namespace

TEST_CASE("a piece holds what a kernel of its instructions holds") {
  // A load, a barrier, a loop of three turns, a barrier: 20 times.
  const TestKernel k = build_kernel({{"C", {1}, false, 1},
                                     {"LB", {2}, false, 2, 0},
                                     {"CCS", {2, 3}, false, 3, 1},
                                     {"B", {1, 4}, false, 4, 0},
                                     {"L", {}}},
                                    {loop(1, 20), loop(2, 3, 0)});
  const TestKernel largest =
      build_kernel({{"LB", {1}, false, 1}, {"CCS", {1, 2}, false, 2, 0}, {"B", {}}}, {loop(1, 3)});
  const auto piece = piece_of(k);
  REQUIRE(piece);
  CHECK(piece->meetings == 40);
  CHECK(piece->together == together(largest));
  CHECK(piece->together < together(k) / 15);
}

TEST_CASE("nothing is known of pieces in an unknown order") {
  CHECK_FALSE(piece_of(build_kernel({{"C", {1, 2}, true, 3}, {"B", {3}, false, 3}, {"CB", {3}, false, 3}, {"L", {}}})));
}

TEST_CASE("any piece may have all rounds of loops that other warps make longer") {
  const timing::Machine machine = machine_at_issue();
  TestKernel k = build_kernel({{"C", {}}});
  timing::ResourceDemand demand;
  const size_t resources = machine.resources.size();
  demand.held.assign(resources, 10);
  demand.rounds.assign(resources, 0);
  demand.together = {100, 0};
  demand.piece = PieceDemand{3, 20};
  timing::Load load;
  load.warps_per_block = load.device_warps = 5;
  const auto contended = [&] {
    auto found = timing::with_contention(k.kernel, 1000, demand, load, machine);
    REQUIRE(found.ok());
    return *found;
  };
  const timing::ContendedDemand without = contended();
  REQUIRE(without.piece);
  CHECK(without.piece->meetings == 3);
  CHECK(without.together[0] - without.piece->together == 80);
  demand.rounds[1] = 7;
  const timing::ContendedDemand with = contended();
  CHECK(with.together[0] > without.together[0]);
  CHECK(with.piece->together - without.piece->together == with.together[0] - without.together[0]);
}
