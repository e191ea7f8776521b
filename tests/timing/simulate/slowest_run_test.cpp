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

  timing::SlowestRun run(int64_t warps, int64_t blocks = 1) const {
    std::vector<ir::InstructionId> ids(code.kernel.instructions.size());
    for (size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<ir::InstructionId>(i);
    timing::Load load;
    load.warps_per_block = warps;
    load.device_blocks = load.blocks = blocks;
    load.device_warps = load.warps = warps * blocks;
    load.grid_given = true;
    load.residency.blocks = {1, 1};
    const auto trace = [&](int64_t) {
      ir::BlockTrace block;
      block.warps.assign(static_cast<size_t>(warps), test::steps(ids));
      return block;
    };
    const auto found = timing::slowest_run({code.kernel, details, {blocks, 1, 1}, load, trace, trace}, code.flow,
                                           test::toy_machine(), {});
    REQUIRE(found);
    return *found;
  }

  test::TestKernel code;
  std::vector<ir::MachineDetail> details;
};

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
