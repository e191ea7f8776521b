// The bound of each rung against runs of warps whose requests pass the port, the network and memory: none takes longer.
#include "tests/timing/memory_simulation.hpp"

#include <catch2/catch.hpp>

#include "tests/thinned.hpp"
#include "tests/timing/memory_kernels.hpp"
#include "timing/pipeline_run.hpp"

using namespace warpspan;
using test::below;
using test::Random;
using timing::Assumption;

namespace {

struct Tally {
  int64_t runs = 0, above = 0;
  double nearest = 0;  // the largest time / bound
};

// Each with all before it, and two that leave some out.
std::vector<std::pair<std::string, timing::AssumptionSet>> rungs() {
  using enum Assumption;
  return {{"nothing", {}},
          {"keeps-constants", test::granting({keeps_constants})},
          {"aligned", test::granting({keeps_constants, aligned})},
          {"spread", test::granting({keeps_constants, aligned, spread})},
          {"stream", test::granting({keeps_constants, aligned, stream})},
          {"keeps", test::granting({aligned, stream, keeps})},
          {"spread alone", test::granting({spread})},
          {"keeps alone", test::granting({keeps})}};
}

struct Case {
  timing::Machine machine = test::line_machine();
  test::KernelShape shape;
  int64_t blocks = 1, resident = 1;
};

Case random_case(Random& random) {
  Case c;
  c.machine.multiprocessors = 1 + below(random, 3);
  c.machine.schedulers = 1 + below(random, 2);
  c.machine.issue_gap = 1 + below(random, 10);
  c.resident = 1 + below(random, 2);
  c.machine.max_blocks = {c.resident, c.resident};
  c.machine.data_caches[1].bytes = 1 << 20;
  c.shape.warps_per_block = 1 + below(random, 4);
  c.shape.trips = 1 + below(random, 4);
  c.shape.barriers = below(random, 2) == 0;
  c.blocks = 1 + below(random, 4);
  return c;
}

void compare(const Case& c, const test::TestKernel& k, const timing::AssumptionSet& granted, Random& random,
             Tally& tally) {
  ir::Launch launch;
  launch.block = ir::Extent{32 * c.shape.warps_per_block, 1, 1};
  launch.grid = ir::Extent{c.blocks, 1, 1};
  const auto load = timing::load_of(k.kernel, launch, c.machine);
  REQUIRE(load.ok());
  const auto pipeline = timing::run_pipeline(k.kernel, k.flow, *load, c.machine, granted);
  REQUIRE(pipeline.ok());
  const int64_t least = *pipeline->model.bound.makespan;
  const auto any = pipeline->model.any_dispatcher;
  test::MemoryRun run;
  run.granted = granted;
  run.resident = c.resident;
  run.in_turn = any && below(random, 2) == 0;
  run.policy = static_cast<int>(below(random, 5));
  run.shorten = below(random, 4) == 0;
  const int64_t bound = run.in_turn ? least : any.value_or(least);
  const int64_t time = test::MemorySimulation(k, c.machine, *load, run, random).run();
  ++tally.runs;
  if (time > bound) {
    if (tally.above++ < 3) WARN(time << " above " << bound);
  }
  tally.nearest = std::max(tally.nearest, static_cast<double>(time) / static_cast<double>(bound));
}

std::vector<Tally> compare_all(uint32_t seed, int kernels) {
  Random random(seed);
  std::vector<Tally> tallies(rungs().size());
  for (int i = 0; i < kernels; ++i) {
    const Case c = random_case(random);
    const test::TestKernel k = test::random_memory_kernel(c.shape, random);
    for (size_t r = 0; r < tallies.size(); ++r) compare(c, k, rungs()[r].second, random, tallies[r]);
  }
  return tallies;
}

}  // namespace

TEST_CASE("no simulated run exceeds the bound of its rung") {
  for (const Tally& tally : compare_all(31, test::thinned_seeds(400))) CHECK(tally.above == 0);
}

TEST_CASE("no simulated run exceeds the bound of its rung, 160,000 runs", "[.][slow]") {
  const auto tallies = compare_all(32, 20000);
  for (size_t r = 0; r < tallies.size(); ++r) {
    WARN(rungs()[r].first << ": " << tallies[r].runs << " runs, the nearest at " << tallies[r].nearest);
    CHECK(tallies[r].above == 0);
  }
}
