// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/bounds/load_bounds.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/timing/toy_machine.hpp"

using namespace warpspan;
using namespace warpspan::timing;

namespace {

Demand example_demand() {
  Demand demand;
  demand.critical_path = 1000;
  demand.resources = {{10}, {20}, {30}, {40}};
  return demand;
}

// 4 multiprocessors; 2 warps per block.
struct Launched {
  Machine machine = test::toy_machine();
  ir::Kernel kernel;
  ir::Launch launch;

  explicit Launched(std::optional<int64_t> blocks) {
    machine.multiprocessors = 4;
    machine.dispatch = DispatchFigures{50, 3, 64, {}};
    machine.resources.push_back({"memory", 1, ResourceFigures::Sharing::device, Evidence::assumed, "toy"});
    kernel.name = "k";
    launch.block = ir::Extent{64, 1, 1};
    if (blocks) launch.grid = ir::Extent{*blocks, 1, 1};
  }

  Load load() const {
    const auto load = load_of(kernel, launch, machine);
    REQUIRE(load);
    return *load;
  }
  LoadBound bound(solver::SyncOrder order = solver::SyncOrder::never) const {
    Demand demand = example_demand();
    demand.sync.order = order;
    return pipeline_bound(load(), machine, {demand, demand});
  }
};

bool says(const solver::Bound& bound, const std::string& text) {
  return std::any_of(bound.assumptions.begin(), bound.assumptions.end(),
                     [&](const std::string& sentence) { return sentence.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("one block alone waits for no dispatcher") {
  const LoadBound alone = Launched(std::nullopt).bound();
  CHECK(alone.bound.makespan == 1000 + 10 + 20 + 30 + 40);
  CHECK(alone.bound.method == "pipeline");
  CHECK(says(alone.bound, "One block, alone on the device"));
  CHECK_FALSE(alone.any_dispatcher);
}

TEST_CASE("of few blocks each has a multiprocessor where they are dealt round-robin, and may share one where not") {
  const LoadBound few = Launched(3).bound();
  CHECK(few.bound.makespan == 1050 + 10 + 20 + 30 + 5 * 40 + 2 * 3);
  CHECK(says(few.bound, "Blocks are dealt round-robin: at most one runs on a multiprocessor."));
  CHECK_FALSE(says(few.bound, "greedy"));
  // All three on one.
  CHECK(few.any_dispatcher == 1050 + 5 * (10 + 20 + 30) + 5 * 40 + 2 * 3);
}

TEST_CASE("of many blocks as many run one after another as do not fit side by side") {
  Launched many(400);
  many.launch.registers = 32;
  many.launch.registers_from = "--registers";
  CHECK(many.load().residency.blocks.least == 8);
  // 100 blocks on a multiprocessor, at most 12 others in the place of the last one that ends.
  const LoadBound result = many.bound();
  CHECK(result.bound.method == "pipeline");
  CHECK(result.bound.makespan == 13 * 1050 + (200 - 12) * 60 + (800 - 12) * 40 + (399 - 12) * 3);
  CHECK(says(result.bound, "Blocks are dealt round-robin: at most 100 run on a multiprocessor"));
  CHECK(
      says(result.bound,
           "A multiprocessor has room for at least 8 blocks with 32 registers per thread (--registers) and 0 bytes of "
           "shared memory per block, and for at most 8 with 32 registers per thread and 0 bytes."));
  CHECK_FALSE(says(result.bound, "[dispatch]"));
  CHECK(result.resources[3].workers == 800);
  // 99 blocks before the last one on some multiprocessor, 12 in a place; 13 one after another, 8 beside.
  CHECK(result.any_dispatcher == 13 * 1050 + (99 * 2 - 12 + 8 * 2 - 1) * 60 + (800 - 11) * 40 + (399 - 12) * 3);
  many.machine.dispatch.reset();
  CHECK(says(many.bound().bound, "the machine file has no [dispatch]"));
}

TEST_CASE("blocks that fill the multiprocessors at once need no rule of the dispatcher") {
  Launched full(32);
  full.launch.registers = 32;
  const LoadBound result = full.bound();
  CHECK(result.bound.method == "grid");
  CHECK(result.bound.makespan == 1050 + 15 * 60 + 63 * 40 + 31 * 3);
  CHECK(says(result.bound, "The dispatcher is greedy"));
  CHECK_FALSE(says(result.bound, "round-robin"));
  CHECK_FALSE(result.any_dispatcher);
}

TEST_CASE("blocks that are dealt round-robin and fit at once run side by side, each warp with those of its scheduler") {
  Launched many(28);  // 7 on each multiprocessor, which has room for 8
  many.machine.schedulers = 2;
  many.launch.registers = 32;
  const LoadBound result = many.bound();
  CHECK(result.bound.method == "pipeline");
  CHECK(result.bound.makespan == 1050 + 6 * 10 + 13 * (20 + 30) + 55 * 40 + 27 * 3);
  CHECK(result.resources[0].workers == 7);
  CHECK(says(result.bound, "A multiprocessor has room for at least 8 blocks with 32 registers per thread"));
  // Warps of the other blocks may hold one slot after the other, those of the own one may not.
  CHECK(many.bound(solver::SyncOrder::in_order).bound.makespan == 1050 + 12 * 10 + 13 * (20 + 30) + 55 * 40 + 27 * 3);
  CHECK(many.bound(solver::SyncOrder::in_order).resources[0].workers == 13);
}

TEST_CASE("what is held from the issue on is one part for the scheduler and one for the others") {
  Launched alone(std::nullopt);
  alone.launch.block = ir::Extent{256, 1, 1};
  alone.machine.schedulers = 4;
  for (const size_t r : {0, 2}) alone.machine.resources[r].at_issue = true;
  Demand demand = example_demand();
  demand.joint = {solver::ResourceDemand{35}, solver::ResourceDemand{30}};
  const LoadBound found = pipeline_bound(alone.load(), alone.machine, {demand, demand});
  CHECK(found.bound.makespan == 1000 + 1 * 35 + 6 * 30 + 7 * (20 + 40));
  REQUIRE(found.bound.parts.size() == 5);
  CHECK(found.bound.parts[1].name == "issue and units");
  CHECK(found.bound.parts[2].name == "units of other schedulers");
  CHECK(found.bound.parts[3].name == "load_store");
  CHECK(found.resources[2].demand == 30);
}

TEST_CASE("what a warp holds between two barriers tells how many of other blocks are in the way") {
  Launched three(12);  // on each multiprocessor, which has room for 8
  three.launch.registers = 32;
  three.launch.block = ir::Extent{256, 1, 1};
  three.machine.schedulers = 4;
  three.machine.resources[0].at_issue = true;
  Demand demand = example_demand();
  demand.joint[0].worker = 100;
  demand.sync.order = solver::SyncOrder::in_order;
  const auto workers = [&] {
    const LoadBound found = pipeline_bound(three.load(), three.machine, {demand, demand});
    CHECK(found.bound.method == "pipeline");
    REQUIRE(found.bound.parts.size() > 2);
    CHECK(found.bound.parts[2].name == "issue and units");
    return found.bound.parts[2].workers;
  };
  CHECK(workers() == 2 * 8 + 1);
  demand.sync.points = 10;
  demand.joint[0].interval = 10;  // 10 times 2 of 2 blocks
  CHECK(workers() == 3 * 2 - 1 + 4);
  demand.joint[0].interval = 100;
  CHECK(workers() == 2 * 8 + 1);
}

TEST_CASE("what only some warps hold counts by block where that is less") {
  Launched few(3);
  Demand demand = example_demand();
  const LoadBound whole = pipeline_bound(few.load(), few.machine, {demand, demand});
  demand.resources[3].partial = solver::ResourceDemand::Partial{0, 40};
  const LoadBound partial = pipeline_bound(few.load(), few.machine, {demand, demand});
  CHECK(*partial.bound.makespan == *whole.bound.makespan - 5 * 40 + 3 * 40);
  const auto of_blocks = std::find_if(partial.bound.parts.begin(), partial.bound.parts.end(),
                                      [](const solver::Part& part) { return part.kind == solver::Part::Kind::blocks; });
  REQUIRE(of_blocks != partial.bound.parts.end());
  CHECK(of_blocks->name == "memory");
  CHECK(of_blocks->workers == 3);
  CHECK(partial.resources[3].demand == 40);  // of one warp, as before
}

TEST_CASE("what is waited for besides the path is a part of its own, each time or once") {
  Launched many(400);
  many.launch.registers = 32;
  Demand demand = example_demand();
  const LoadBound alone = pipeline_bound(many.load(), many.machine, {demand, demand});
  REQUIRE(demand.add_term({solver::Part::Kind::failures, 4, 0}));
  REQUIRE(demand.add_term({solver::Part::Kind::data, 0, 0}));
  REQUIRE(demand.add_term({solver::Part::Kind::code, 5, 70}));
  const LoadBound found = pipeline_bound(many.load(), many.machine, {demand, demand});
  CHECK(*found.bound.makespan == *alone.bound.makespan + 13 * 9 + 70);
  REQUIRE(found.bound.parts.size() == alone.bound.parts.size() + 2);
  CHECK(found.bound.parts[0].demand == 1000);
  CHECK(found.bound.parts[1].kind == solver::Part::Kind::code);
  CHECK(found.bound.parts[1].cycles == 13 * 5 + 70);
  CHECK(found.bound.parts[1].workers == 1);
  CHECK(found.bound.parts[2].kind == solver::Part::Kind::failures);
  CHECK(found.bound.parts[2].workers == 13);
  CHECK(found.bound.parts[2].demand == 4);
  CHECK_FALSE(demand.add_term({solver::Part::Kind::constants, INT64_MAX, 0}));
}

TEST_CASE("the greedy bound holds for warps that wait for one another wherever they are") {
  Launched together(4);
  together.machine.schedulers = 2;
  const LoadBound apart = together.bound(), meeting = together.bound(solver::SyncOrder::in_order);
  REQUIRE(apart.any_dispatcher);
  REQUIRE(meeting.any_dispatcher);
  CHECK(*meeting.any_dispatcher > *apart.any_dispatcher);
  CHECK(meeting.bound.makespan == apart.bound.makespan);
}

TEST_CASE("the string model's list bound is the smaller one too") {
  Launched many(400);
  many.launch.registers = 32;
  const solver::PathMaxima maxima{30, {20, 6, 4}, 1, {2, 2, 1}};
  const solver::Bound list = string_list_bound(many.load(), many.machine, maxima);
  CHECK(list.method == "list");
  CHECK(list.safe);
  CHECK(list.parts.empty());
  CHECK(list.makespan == 13 * 30 + 201 * 20 / 2 + 201 * 6 / 2 + 201 * 4);
  CHECK(says(list, "The dispatcher is greedy"));
  CHECK(says(list, "In every cycle each class executes"));
  CHECK_FALSE(says(list, "round-robin"));
  const Launched few(3);
  const solver::Bound apart = string_list_bound(few.load(), few.machine, maxima);
  CHECK(apart.makespan == 30 + 20 / 2 + 6 / 2 + 4);
  CHECK(says(apart, "round-robin"));
}

TEST_CASE("clusters need a size, and a grid of whole ones") {
  const auto message = [](const auto& change) {
    Launched clusters(8);
    clusters.kernel.launch_bounds.clusters = true;
    clusters.kernel.launch_bounds.cluster = {4, 1, 1};
    change(clusters);
    const auto load = load_of(clusters.kernel, clusters.launch, clusters.machine);
    return load ? std::string() : load.errors()[0].message;
  };
  const std::string start = "kernel 'k' is launched in clusters of blocks, ";
  CHECK(message([](Launched&) {}).empty());
  CHECK(message([](Launched& l) {
          l.kernel.launch_bounds.cluster = {0, 0, 0};
        }) == start + "and the file does not say how large they are");
  CHECK(message([](Launched& l) { l.launch.grid.reset(); }) == start + "of which {grid} says how many there are");
  CHECK(message([](Launched& l) {
          l.kernel.launch_bounds.cluster = {3, 1, 1};
        }) == start + "and the grid is no multiple of these");
  CHECK(message([](Launched& l) { l.kernel.launch_bounds.in_clusters = true; }) ==
        start + "and its launch counts clusters instead of blocks, which is not understood");
}

TEST_CASE("clusters of one block are none") {
  Launched alone(8), clusters(8);
  clusters.kernel.launch_bounds.clusters = true;
  clusters.kernel.launch_bounds.cluster = {1, 1, 1};
  CHECK(clusters.load().cluster == 1);
  CHECK(clusters.bound().bound.makespan == alone.bound().bound.makespan);
}

TEST_CASE("clusters count one after another, with what their warps hold of any multiprocessor") {
  Launched clusters(8);
  clusters.kernel.launch_bounds.clusters = true;
  clusters.kernel.launch_bounds.cluster = {2, 1, 1};
  const auto of = [&](solver::SyncOrder order) { return clusters.bound(order).bound; };
  const int64_t others = 16 * (10 + 20 + 30 + 40) + 3 * 6;  // 8 blocks of 2 warps; 4 clusters
  CHECK(of(solver::SyncOrder::never).makespan == 4 * (1000 + 53) + others);
  CHECK(of(solver::SyncOrder::in_order).makespan == of(solver::SyncOrder::never).makespan);
  CHECK(of(solver::SyncOrder::in_any_order).makespan == 4 * (4 * 1000 + 53) + others);
  CHECK(says(of(solver::SyncOrder::never), "Blocks start in clusters of 2"));
  CHECK(says(of(solver::SyncOrder::never), "While a group of blocks waits, another one runs"));
  CHECK_FALSE(says(of(solver::SyncOrder::never), "round-robin"));
}
