// SPDX-License-Identifier: GPL-3.0-or-later
// Parts on the way to memory as one: what costs become of it, and for which kernels.
#include "timing/costs/fair_share.hpp"

#include <catch2/catch.hpp>

#include "tests/timing/costs/served_accesses.hpp"
#include "timing/bounds/pipeline_run.hpp"
#include "timing/warp/one_warp.hpp"

using namespace warpspan;
using namespace warpspan::timing;
using ir::OperationKind;
using test::memory_of_lines;
using test::network_of_lines;
using test::port_of_lines;

namespace {

constexpr size_t units = 1;  // of the toy machine
constexpr int64_t multiprocessors = 3;

// A load, as machine code, of so many lines.
struct OneLoad {
  test::served::Accesses accesses;
  Machine machine = test::line_machine();

  explicit OneLoad(OperationKind kind = OperationKind::load_global, uint32_t lines = 2) {
    accesses.add(kind);
    accesses.k.flow.transactions[0] = lines;
    for (ir::Operation& operation : accesses.k.kernel.operations) operation.machine.emplace();
  }
  ir::Kernel& kernel() { return accesses.k.kernel; }
  ir::Flow& flow() { return accesses.k.flow; }
  // Of the load, where parts are joined so.
  OperationFigures figures(Joined joined) {
    Costs costs = costs_of(kernel(), machine).value();
    charge_slowest_part(costs, kernel(), flow(), machine, joined, multiprocessors);
    return costs.of(kernel().instructions[0]);
  }
};

// Ticks of the resource; 0: it is not occupied.
int64_t occupied(const OperationFigures& figures, size_t resource, int64_t lines) {
  for (const Occupancy& occupancy : figures.occupancies) {
    if (occupancy.resource == resource) return *timing::occupied_cycles(occupancy, lines).value();
  }
  return 0;
}

timing::Load load_of(int64_t blocks) {
  timing::Load load;
  load.device_blocks = load.device_warps = blocks;
  load.grid_given = true;
  return load;
}

}  // namespace

// A line takes 5 cycles of the units, 2 of the port, 4 of the network and 40 of memory.
TEST_CASE("a request occupies the slowest of the parts that are joined") {
  OneLoad load;
  const OperationFigures apart = load.figures(Joined::none);
  CHECK(occupied(apart, units, 2) == 10);
  CHECK(occupied(apart, port_of_lines, 2) == 4);

  const OperationFigures near = load.figures(Joined::of_multiprocessor);
  CHECK(occupied(near, units, 2) == 0);
  CHECK(occupied(near, port_of_lines, 2) == 10);
  CHECK(occupied(near, network_of_lines, 2) == 8);
  CHECK(occupied(near, memory_of_lines, 2) == 80);

  const OperationFigures network = load.figures(Joined::with_network);
  CHECK(occupied(network, port_of_lines, 2) == 2 * 3 * 4);
  CHECK(occupied(network, network_of_lines, 2) == 0);
  CHECK(occupied(network, memory_of_lines, 2) == 80);

  const OperationFigures all = load.figures(Joined::with_memory);
  CHECK(occupied(all, port_of_lines, 2) == 2 * 3 * 40);
  CHECK(occupied(all, memory_of_lines, 2) == 0);
}

TEST_CASE("a request may wait for the longest of others at each part, twice that of all at what they share") {
  OneLoad load;
  const int64_t alone = load.figures(Joined::none).latency.worst;
  CHECK(load.figures(Joined::of_multiprocessor).latency.worst == alone + 5 + 2 + 5);
  CHECK(load.figures(Joined::with_network).latency.worst == alone + 5 + 2 + 2 * 3 * 4 + 3 * 4);
  CHECK(load.figures(Joined::with_memory).latency.worst == alone + 5 + 2 + 2 * 3 * (4 + 40) + 3 * 40);
  CHECK(load.figures(Joined::with_memory).per_transaction == 3 * 40);
}

TEST_CASE("a queue of each scheduler counts for what it is longer") {
  OneLoad load;
  load.machine.resources.push_back({"memory_port", 1, ResourceFigures::Sharing::scheduler, Evidence::assumed, "toy"});
  const size_t queue = load.machine.resources.size() - 1;
  const auto hold = [&](int64_t cycles) {
    Machine machine = load.machine;
    for (auto* table : {&machine.operations, &machine.otherwise}) {
      (*table)[static_cast<size_t>(OperationKind::load_global)]->occupancies.push_back({queue, cycles, false, cycles});
    }
    std::swap(machine, load.machine);
    const int64_t left = occupied(load.figures(Joined::of_multiprocessor), queue, 2);
    std::swap(machine, load.machine);
    return left;
  };
  CHECK(hold(4) == 0);
  CHECK(hold(7) == 2);
}

TEST_CASE("what copies by threads write, and guarded accesses that no lane makes, stay in the load/store units") {
  OneLoad guarded;
  guarded.flow().blocks.resize(1);
  CHECK(occupied(guarded.figures(Joined::with_memory), units, 2) == 0);
  guarded.flow().blocks[0].warps = 1;
  CHECK(occupied(guarded.figures(Joined::with_memory), units, 2) == 10);
  CHECK(occupied(guarded.figures(Joined::with_memory), port_of_lines, 2) == 240);

  OneLoad copy;
  copy.kernel().operations.back().facts.copy.kind = ir::Copy::Kind::by_lanes;
  CHECK(occupied(copy.figures(Joined::with_memory), units, 2) == 10);
}

TEST_CASE("shares count for machine code whose warps wait for nothing that could not be charged") {
  OneLoad load;
  CHECK(may_share_fairly(load.kernel(), load_of(4), load.machine));
  timing::Load other = load_of(4);
  other.cluster = 2;
  CHECK_FALSE(may_share_fairly(load.kernel(), other, load.machine));
  other = load_of(4);
  other.interference = support::Rational{1, 2};
  CHECK_FALSE(may_share_fairly(load.kernel(), other, load.machine));
  Machine without = load.machine;
  without.resources[port_of_lines].name = "way";
  CHECK_FALSE(may_share_fairly(load.kernel(), load_of(4), without));
  for (ir::Operation& operation : load.kernel().operations) operation.machine.reset();
  CHECK_FALSE(may_share_fairly(load.kernel(), load_of(4), load.machine));
}

TEST_CASE("loops of atomics keep each part by itself") {
  OneLoad load;
  const auto kind = static_cast<size_t>(OperationKind::load_global);
  for (auto* table : {&load.machine.operations, &load.machine.otherwise}) {
    (*table)[kind]->retries = {{memory_of_lines, 10}};
  }
  CHECK(occupied(load.figures(Joined::with_memory), memory_of_lines, 2) == 80);
}

TEST_CASE("requests of a warp that go no further than the load/store units are on its path") {
  OneLoad load;
  const Costs costs = costs_of(load.kernel(), load.machine).value();
  std::vector<support::Integer> occupied(load.machine.resources.size(), 0);
  occupied[units] = 30;
  occupied[port_of_lines] = 50;
  CHECK(own_requests(occupied, costs, load.machine) == support::Integer(30));
}

// A warp alone takes as long as ever: a reduction, which is no access, waits for the units that stores have gone
// through.
TEST_CASE("what waits for the load/store units waits for requests that have gone on to the port") {
  OneLoad stores(OperationKind::store_global, 32);
  for (auto* table : {&stores.machine.operations, &stores.machine.otherwise}) {
    OperationFigures figures = *(*table)[static_cast<size_t>(OperationKind::store_global)];
    figures.latency = {20, 20, 20};
    figures.occupancies = {{0, 1, false, 1}, {units, 2, false, 2}};
    (*table)[static_cast<size_t>(OperationKind::warp_reduce)] = figures;
  }
  stores.accesses.add(OperationKind::warp_reduce);
  stores.flow().transactions[1] = 0;
  stores.kernel().operations.back().machine.emplace();
  Costs apart = costs_of(stores.kernel(), stores.machine).value(), joined = apart;
  charge_slowest_part(joined, stores.kernel(), stores.flow(), stores.machine, Joined::of_multiprocessor, 1);
  REQUIRE(joined.shares);
  const auto path = [&](const Costs& costs) {
    return *one_warp_time({stores.kernel(), stores.flow(), costs, stores.machine}, Case::worst);
  };
  CHECK(path(apart) > 32 * 5);
  CHECK(path(joined) >= path(apart));
}

// Three multiprocessors with a block of eight warps each: a line takes 2 cycles of the port and 4 of the network, so 12
// of each multiprocessor's share.
TEST_CASE("with shares only requests of the multiprocessor count") {
  OneLoad load(OperationKind::load_global, 1);
  load.machine.multiprocessors = multiprocessors;
  load.machine.resources[memory_of_lines].lines = test::line_times(1, {1, 1}, {1, 1});
  ir::Launch launch;
  launch.block = ir::Extent{256, 1, 1};
  launch.grid = ir::Extent{multiprocessors, 1, 1};
  const auto blocks = timing::load_of(load.kernel(), launch, load.machine);
  REQUIRE(blocks.ok());
  PipelineRuns runs(load.kernel(), load.flow(), *blocks, load.machine);
  const int64_t apart = *runs.smallest_bound({})->model.bound.makespan;
  const auto shared = runs.smallest_bound(test::assuming({Assumption::fair_share}));
  REQUIRE(shared.ok());
  CHECK(*shared->model.bound.makespan < apart);
  const auto& parts = shared->model.bound.parts;
  const auto port =
      std::find_if(parts.begin(), parts.end(), [](const auto& part) { return part.name == "network_port"; });
  REQUIRE(port != parts.end());
  CHECK(port->workers == 7);
  CHECK(port->cycles == 7 * 12);
  CHECK(std::none_of(parts.begin(), parts.end(), [](const auto& part) { return part.name == "network"; }));
  const auto& assumed = shared->model.bound.assumptions;
  CHECK(std::find(assumed.begin(), assumed.end(), sentence(Assumption::fair_share)) != assumed.end());
}
