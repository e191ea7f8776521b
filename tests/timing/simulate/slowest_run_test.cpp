// SPDX-License-Identifier: GPL-3.0-or-later
// Slowest runs whose cycles are computed by hand.
#include "timing/simulate/slowest_run.hpp"

#include <catch2/catch.hpp>

#include "tests/ir/build_kernel.hpp"
#include "tests/timing/simulate/made_traces.hpp"
#include "tests/timing/toy_machine.hpp"

using namespace warpspan;
using timing::IssueOrder;

namespace {

// One basic block of machine instructions, of which each warp executes all.
struct Straight {
  explicit Straight(const std::string& symbols) : code(test::build_kernel({{symbols, {}}})) {
    for (ir::Operation& operation : code.kernel.operations) operation.machine = ir::MachineIssue{};
    details.resize(code.kernel.instructions.size());
    for (uint32_t i = 0; i < details.size(); ++i) details[i].place = i;
  }

  std::vector<ir::InstructionId> ids() const {
    std::vector<ir::InstructionId> all(code.kernel.instructions.size());
    for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<ir::InstructionId>(i);
    return all;
  }

  timing::SlowestRun run(int64_t warps, int64_t blocks = 1) const {
    return run_each(warps, test::steps(ids()), blocks);
  }

  // All warps do the same; those of a block arrive at barrier 0 together.
  timing::SlowestRun run_each(int64_t warps, const ir::WarpTrace& warp, int64_t blocks = 1) const {
    timing::Load load;
    load.warps_per_block = warps;
    load.device_blocks = load.blocks = blocks;
    load.device_warps = load.warps = warps * blocks;
    load.grid_given = true;
    load.residency.blocks = {1, 1};
    const auto trace = [&](int64_t) {
      ir::BlockTrace block;
      block.warps.assign(static_cast<size_t>(warps), warp);
      block.openings[0] = {static_cast<uint32_t>(32 * warps)};
      return block;
    };
    const auto found =
        timing::slowest_run({code.kernel, details, {blocks, 1, 1}, load, trace, trace}, code.flow, machine, {});
    REQUIRE(found);
    REQUIRE(found->bound);
    CHECK(*found->bound >= found->longest());
    return *found;
  }

  // The instruction may touch so many lines, or lead to as many bank conflicts.
  void allow_transactions(size_t instruction, uint32_t most) { code.flow.transactions[instruction] = most; }

  test::TestKernel code;
  std::vector<ir::MachineDetail> details;
  timing::Machine machine = test::toy_machine();
};

// All orders take as long.
void check_cycles(const timing::SlowestRun& run, int64_t cycles) {
  for (const int64_t each : run.cycles) CHECK(each == cycles);
  CHECK(run.analysed == cycles);
}

}  // namespace

TEST_CASE(
    "slowest run: instructions of a warp are issued by the gap of the machine, and the last one takes its latency") {
  const timing::SlowestRun run = Straight("CC").run(1);
  CHECK(run.longest() == 10 + 20);
  CHECK(run.usual() == 30);
  CHECK(run.analysed == 30);
  REQUIRE(run.bound);
  CHECK(*run.bound >= 30);
}

TEST_CASE("slowest run: a unit serves one warp after another") {
  const timing::SlowestRun run = Straight("S").run(3);
  CHECK(run.longest() == 40 + 40 + 30);
  CHECK(*run.bound >= run.longest());
}

TEST_CASE("slowest run: blocks that are not resident follow") {
  const timing::SlowestRun run = Straight("C").run(1, 2);
  CHECK(run.blocks == 2);
  CHECK(run.simulated_blocks == 2);
  CHECK(run.longest() > 20);
  CHECK(*run.bound >= run.longest());
}

// Two warps: one waits for the unit while the other goes on; which of them is last depends on the order.
TEST_CASE("slowest run: the longest of all orders counts") {
  const timing::SlowestRun run = Straight("SCCCC").run(2);
  for (const int64_t cycles : run.cycles) CHECK(cycles <= run.longest());
  CHECK(run.cycles[static_cast<size_t>(run.slowest)] == run.longest());
  CHECK(*run.bound >= run.longest());
}

TEST_CASE("slowest run: who waits for a scoreboard issues when the longest latency is over") {
  Straight launch("LC");
  launch.code.kernel.registers = launch.code.kernel.scoreboards = 6;
  test::connect(launch.code, 0, {}, {0});
  test::connect(launch.code, 1, {0}, {});
  check_cycles(launch.run(1), 100 + 20);
  // The second warp's load has its turn when the load/store unit has served the first one's.
  check_cycles(launch.run(2), 5 + 100 + 20);
}

TEST_CASE("slowest run: a barrier opens with its last warp") {
  const Straight launch("CBC");
  ir::WarpTrace warp = test::steps({0, 1, ir::TracedStep::wait, 2});
  warp.steps[2].request = 0;
  test::ask(warp, 1, {.kind = ir::TracedRequest::Kind::arrival, .first = 0, .count = 32});
  // Arrivals at 10 and 11, of which the later one goes on at 21; the other follows it, a cycle later.
  check_cycles(launch.run_each(2, warp), 22 + 20);
}

TEST_CASE("slowest run: ways of a bank conflict are served one after another") {
  Straight launch("L");
  launch.allow_transactions(0, 4);
  ir::WarpTrace warp = test::steps(launch.ids());
  test::ask(warp, 0, {.kind = ir::TracedRequest::Kind::shared, .lanes = 32, .bytes = 4, .serial = 4});
  check_cycles(launch.run_each(1, warp), 100);
  check_cycles(launch.run_each(3, warp), 2 * 4 * 5 + 100);
}

// Where a function is called twice, the kernel has its instructions twice, and what the bound knows of one copy holds
// of that one alone. Traces name the first.
TEST_CASE("slowest run: copies of one instruction take what the cheapest takes") {
  Straight launch("LL");
  launch.details[1].place = launch.details[0].place;
  launch.allow_transactions(0, 4);
  launch.allow_transactions(1, 1);
  Straight cheapest("L");
  cheapest.allow_transactions(0, 1);
  const auto conflicting = [](uint16_t ways) {
    ir::WarpTrace warp = test::steps({0});
    test::ask(warp, 0, {.kind = ir::TracedRequest::Kind::shared, .lanes = 32, .bytes = 4, .serial = ways});
    return warp;
  };
  check_cycles(launch.run_each(2, conflicting(4)), 5 + 100);
  for (const int64_t warps : {1, 2, 3, 4}) {
    const timing::SlowestRun copies = launch.run_each(warps, conflicting(4));
    const timing::SlowestRun alone = cheapest.run_each(warps, conflicting(1));
    CHECK(copies.cycles == alone.cycles);
    CHECK(copies.analysed == alone.analysed);
  }
}

// Memory is held for 50 cycles by each line, as by a row that is opened for it alone.
TEST_CASE("slowest run: each line of memory misses its row") {
  Straight launch("L");
  launch.machine.resources.push_back(
      {"memory", 1, timing::ResourceFigures::Sharing::device, timing::Evidence::assumed, "toy"});
  for (auto* figures : {&launch.machine.operations, &launch.machine.otherwise})
    (*figures)[static_cast<size_t>(ir::OperationKind::load_global)]->occupancies.push_back({3, 50, true, 50});
  launch.allow_transactions(0, 4);
  ir::WarpTrace warp = test::steps(launch.ids());
  test::ask(warp, 0, {.kind = ir::TracedRequest::Kind::load, .lanes = 32, .bytes = 4}, {0, 4, 8, 12});
  check_cycles(launch.run_each(1, warp), 100);
  check_cycles(launch.run_each(2, warp), 4 * 50 + 100);
  // The same with one multiprocessor more, whose block asks for as many just before.
  launch.machine.multiprocessors = 2;
  check_cycles(launch.run_each(2, warp, 2), 2 * 4 * 50 + 100);
}

TEST_CASE("slowest run: a line of code is waited for where nothing else keeps the instruction") {
  using Sharing = timing::ResourceFigures::Sharing;
  Straight launch("CCCCC");
  timing::FetchFigures fetch;
  fetch.line = 64;
  fetch.instructions = 4;
  fetch.caches = {{"L0", Sharing::scheduler, 1024, 30, {}, timing::Evidence::assumed, "toy"},
                  {"L1", Sharing::device, 4096, 200, {}, timing::Evidence::assumed, "toy"}};
  launch.machine.fetch = fetch;
  // The first line is there at 230, its last instruction issues at 260, and the second line is asked for at 270.
  check_cycles(launch.run(1), 270 + 230 + 20);
}
