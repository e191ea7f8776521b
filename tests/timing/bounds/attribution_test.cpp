// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/bounds/attribution.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "tests/ir/build_kernel.hpp"
#include "tests/timing/toy_machine.hpp"
#include "timing/analysis.hpp"

using namespace warpspan;
using solver::Part;
using test::build_kernel;
using timing::Attribution;

namespace {

// A warp of one block of so many instructions that waits and holds nothing yet.
struct Warp {
  explicit Warp(size_t instructions, size_t resources = 3) {
    k = build_kernel({{std::string(instructions, 'C'), {}}});
    waits.cycles.resize(instructions);
    waits.executions = {1};
    demand.resources.resize(resources);
    demand.attempts.resize(resources);
    occupants.resources.resize(resources);
    occupants.attempts.resize(resources);
    contenders.resize(resources);
    for (ir::InstructionId i = 0; i < instructions; ++i) origins.push_back(i);
  }

  void wait(ir::InstructionId i, int64_t cycles) { waits.cycles[i] += cycles; }
  void hold(size_t resource, ir::InstructionId i, int64_t cycles) {
    demand.resources[resource].worker += cycles;
    occupants.resources[resource].push_back({i, cycles});
  }

  Attribution attribute(const std::vector<Part>& parts) const {
    solver::Bound bound;
    bound.makespan = 0;
    for (const Part& part : parts) *bound.makespan += part.cycles;
    bound.parts = parts;
    std::vector<bool> reads = reads_constants;
    reads.resize(origins.size());
    return timing::attribute(k.kernel, machine, {waits, demand, occupants, contenders, origins, reads}, bound);
  }

  timing::Machine machine = test::toy_machine();
  test::TestKernel k;
  timing::WarpWaits waits;
  timing::Demand demand;
  timing::Occupants occupants;
  std::vector<int64_t> contenders;
  std::vector<ir::InstructionId> origins;
  std::vector<bool> reads_constants;  // the others do not
};

Part part(Part::Kind kind, const std::string& name, int64_t workers, int64_t demand, int64_t servers) {
  return {kind, name, workers * demand / servers, workers, demand, servers};
}

int64_t sum(const Attribution& attribution) {
  int64_t cycles = attribution.rest;
  for (const timing::InstructionCost& cost : attribution.costs) cycles += cost.cycles();
  return cycles;
}

}  // namespace

TEST_CASE("what reads of constants hold is theirs, at the instruction that they stand before") {
  Warp warp(2);
  warp.origins = {1, 1};  // the first one reads a constant for the other
  warp.reads_constants = {true, false};
  warp.hold(1, 0, 12);
  warp.hold(1, 1, 5);
  const Attribution found = warp.attribute({part(Part::Kind::resource, "load_store", 7, 17, 1)});
  REQUIRE(found.costs.size() == 1);
  CHECK(found.costs[0].instruction == 1);
  CHECK(found.costs[0].others == 7 * 17);
  CHECK(found.costs[0].resource == "constants");
  CHECK(found.rest == 0);
}

TEST_CASE("paths go to who is waited for, resources to who holds them, the rest to nobody") {
  Warp warp(3);
  warp.wait(0, 30);
  warp.wait(1, 10);
  warp.hold(1, 1, 5);
  warp.hold(1, 2, 15);
  warp.hold(2, 1, 4);
  const Attribution found = warp.attribute({part(Part::Kind::path, "", 2, 40, 1), part(Part::Kind::start, "", 2, 50, 1),
                                            part(Part::Kind::resource, "load_store", 7, 20, 1),
                                            part(Part::Kind::resource, "special", 7, 4, 1)});
  REQUIRE(found.costs.size() == 3);
  CHECK(found.costs[0].own == 60);
  CHECK(found.costs[0].others == 0);
  CHECK(found.costs[0].resource.empty());
  CHECK(found.costs[1].own == 20);
  CHECK(found.costs[1].others == 7 * 9);
  CHECK(found.costs[1].resource == "load_store");
  CHECK(found.costs[1].executions == 1);
  CHECK(found.costs[2].others == 7 * 15);
  CHECK(found.rest == 100);
}

TEST_CASE("the cycles that divisions leave go to the largest remainders") {
  Warp warp(3);
  warp.hold(1, 0, 5);
  warp.hold(1, 1, 6);
  warp.hold(1, 2, 2);
  warp.demand.resources[1].worker = 13;
  // 13 / 4 = 3 cycles: 1 1/4, 1 1/2 and 1/2. The first two get one each, and the first 1/2 the one that is left.
  const Attribution found = warp.attribute({part(Part::Kind::resource, "load_store", 1, 13, 4)});
  REQUIRE(found.costs.size() == 2);
  CHECK(found.costs[0].others == 1);
  CHECK(found.costs[1].others == 2);
  CHECK(found.rest == 0);
}

TEST_CASE("what a resource is held for by nobody's instruction stays with the rest") {
  Warp warp(1);
  warp.hold(0, 0, 10);
  const Attribution found = warp.attribute({part(Part::Kind::resource, "issue", 3, 25, 1)});
  CHECK(found.costs[0].others == 30);
  CHECK(found.rest == 45);
}

TEST_CASE("rounds that fail for an instruction are its own cost, for others and on the path") {
  Warp warp(2);
  warp.hold(1, 0, 8);
  warp.hold(1, 1, 2);
  warp.demand.attempts[1] = 6;
  warp.occupants.attempts[1] = {{0, 6}};
  warp.contenders[1] = 4;
  const Attribution found =
      warp.attribute({part(Part::Kind::failures, "", 2, 24, 1), part(Part::Kind::resource, "load_store", 3, 34, 1)});
  CHECK(found.costs[0].others == 2 * 24 + 3 * (8 + 24));
  CHECK(found.costs[1].others == 3 * 2);
  CHECK(found.rest == 0);
}

TEST_CASE("reads that the assembler adds count for the instruction they stand before") {
  Warp warp(3);
  warp.k = build_kernel({{"CC", {}}});
  warp.origins = {0, 0, 1};
  warp.wait(0, 7);
  warp.wait(1, 5);
  const Attribution found = warp.attribute({part(Part::Kind::path, "", 1, 12, 1)});
  REQUIRE(found.costs.size() == 1);
  CHECK(found.costs[0].instruction == 0);
  CHECK(found.costs[0].own == 12);
}

TEST_CASE("what is held together goes to who holds it, in parts of cycles where there are several servers") {
  Warp warp(2);
  warp.machine.resources[0].at_issue = warp.machine.resources[2].at_issue = true;
  warp.machine.resources[2].servers = 2;
  warp.demand.joint[0].worker = 15;  // halves of a cycle, 8 cycles rounded up
  warp.occupants.joint[0] = {{0, 10}, {1, 5}};
  const Attribution found = warp.attribute({part(Part::Kind::resource, "issue and units", 4, 8, 1)});
  REQUIRE(found.costs.size() == 2);
  CHECK(found.costs[0].others == 20);
  CHECK(found.costs[0].resource == "issue and units");
  CHECK(found.costs[1].others == 10);
  CHECK(found.rest == 2);
  warp.occupants.joint[0].pop_back();
  CHECK(warp.attribute({part(Part::Kind::resource, "issue and units", 4, 8, 1)}).costs.empty());
}

TEST_CASE("beside a part of blocks, others hold what all warps may, and the block what some of them do") {
  Warp warp(3);
  warp.hold(1, 0, 10);
  warp.hold(1, 1, 5);
  warp.demand.resources[1].partial = solver::ResourceDemand::Partial{10, 15};
  warp.occupants.partial_each = {{}, {{0, 10}}, {}};
  warp.occupants.partial_block = {{}, {{1, 10}, {2, 5}}, {}};
  const Part each = part(Part::Kind::resource, "load_store", 7, 12, 4);
  Part blocks = part(Part::Kind::blocks, "load_store", 3, 15, 4);
  for (int64_t more = 0; more < 2; ++more) {  // rounded down, and up
    blocks.cycles = 11 + more;
    const Attribution found = warp.attribute({each, blocks});
    REQUIRE(found.costs.size() == 3);
    CHECK(found.costs[0].others == 18);  // 17 1/2
    CHECK(found.costs[1].others == 7 + more);
    CHECK(found.costs[2].others == 4);  // 3 3/4
    CHECK(found.rest == 3);
  }
  // Alone it is the whole of what a warp holds.
  CHECK(warp.attribute({part(Part::Kind::resource, "load_store", 4, 15, 4)}).costs.size() == 2);
  warp.demand.resources[1].partial.reset();
  CHECK(warp.attribute({each, blocks}).costs.empty());
}

TEST_CASE("shares that do not add up to what the bound counts say nothing") {
  Warp warp(1);
  warp.wait(0, 7);
  CHECK(warp.attribute({part(Part::Kind::path, "", 1, 8, 1)}).costs.empty());
  CHECK(warp.attribute({part(Part::Kind::path, "", 1, 6, 1)}).costs.empty());
  CHECK(warp.attribute({part(Part::Kind::path, "", 1, 7, 1)}).costs.size() == 1);
  warp.hold(1, 0, 5);
  const std::vector<Part> held = {part(Part::Kind::resource, "load_store", 2, 5, 1)};
  CHECK(warp.attribute(held).costs.size() == 1);
  warp.occupants.resources[1].clear();
  CHECK(warp.attribute(held).costs.empty());
  CHECK(warp.attribute(held).rest == 10);
}

TEST_CASE("whatever is shared, everything is given away and nobody gets more than rounded up") {
  std::mt19937_64 random(9);
  const auto below = [&random](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  for (int round = 0; round < 2000; ++round) {
    Warp warp(1 + static_cast<size_t>(below(9)));
    const size_t instructions = warp.waits.cycles.size();
    for (ir::InstructionId i = 0; i < instructions; ++i) {
      if (below(3) > 0) warp.wait(i, below(1000));
      if (below(3) > 0) warp.hold(1, i, 1 + below(100));
    }
    int64_t waited = 0;
    for (const int64_t cycles : warp.waits.cycles) waited += cycles;
    const int64_t fetched = below(2) * below(100), followed = 1 + below(5), others = below(50), servers = 1 + below(7);
    const std::vector<Part> parts = {
        part(Part::Kind::path, "", followed, waited, 1),
        part(Part::Kind::resource, "load_store", others, warp.demand.resources[1].worker + fetched, servers)};
    const Attribution found = warp.attribute(parts);
    REQUIRE(sum(found) == parts[0].cycles + parts[1].cycles);
    CHECK(found.rest >= others * fetched / servers);
    CHECK(found.rest <= (others * fetched + servers - 1) / servers);
    for (const timing::InstructionCost& cost : found.costs) {
      CHECK(cost.own == followed * warp.waits.cycles[cost.instruction]);
      int64_t held = 0;
      for (const timing::Share& share : warp.occupants.resources[1]) {
        if (share.instruction == cost.instruction) held = share.cycles;
      }
      CHECK(cost.others >= others * held / servers);
      CHECK(cost.others <= (others * held + servers - 1) / servers);
    }
  }
}
