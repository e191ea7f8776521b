// SPDX-License-Identifier: GPL-3.0-or-later
// The bound of each rung against runs of warps whose requests pass the port, the network and memory: none takes longer.
#include "tests/timing/costs/memory_simulation.hpp"

#include <catch2/catch.hpp>

#include "tests/thinned.hpp"
#include "tests/timing/costs/memory_kernels.hpp"
#include "tests/timing/in_order.hpp"
#include "timing/bounds/pipeline_run.hpp"

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
  return {
      {"nothing", {}},
      {"keeps-constants", test::assuming({keeps_constants})},
      {"aligned", test::assuming({keeps_constants, aligned})},
      {"spread", test::assuming({keeps_constants, aligned, spread})},
      {"stream", test::assuming({keeps_constants, aligned, stream})},
      {"keeps", test::assuming({aligned, stream, keeps})},
      {"keeps-pages", test::assuming({aligned, stream, keeps, keeps_pages})},
      {"even-refresh", test::assuming({aligned, stream, keeps, keeps_pages, even_refresh})},
      {"warm-parameters", test::assuming({aligned, stream, keeps, warm_parameters, keeps_pages, even_refresh})},
      {"fair-share", test::assuming({aligned, stream, keeps, warm_parameters, keeps_pages, even_refresh, fair_share})},
      {"fair-share without caches", test::assuming({keeps_constants, aligned, stream, fair_share})},
      {"fair-share alone", test::assuming({fair_share})},
      {"warm-parameters alone", test::assuming({warm_parameters})},
      {"keeps-pages alone", test::assuming({keeps_pages})},
      {"even-refresh alone", test::assuming({even_refresh})},
      {"spread alone", test::assuming({spread})},
      {"keeps alone", test::assuming({keeps})}};
}

// Those of which the time of atomics is a part.
std::vector<std::pair<std::string, timing::AssumptionSet>> rungs_with_few() {
  using enum Assumption;
  return {{"nothing", {}},
          {"spread", test::assuming({keeps_constants, aligned, spread})},
          {"few", test::assuming({keeps_constants, aligned, few})},
          {"few and keeps", test::assuming({aligned, stream, few, keeps})},
          {"few alone", test::assuming({few})},
          {"few and fair-share", test::assuming({keeps_constants, aligned, few, fair_share})},
          {"few and what comes once", test::assuming({aligned, stream, few, keeps, keeps_pages, even_refresh})}};
}

struct Case {
  timing::Machine machine = test::line_machine();
  test::KernelShape shape;
  int64_t blocks = 1, resident = 1;
  bool machine_code = false;  // what comes once counts for that alone
};

Case random_case(Random& random) {
  Case c;
  c.machine.multiprocessors = 1 + below(random, 3);
  c.machine.schedulers = 1 + below(random, 2);
  c.machine.issue_gap = 1 + below(random, 10);
  c.resident = 1 + below(random, 2);
  c.machine.max_blocks = {c.resident, c.resident};
  c.machine.data_caches[1].bytes = 1 << 20;
  if (below(random, 2) == 0) {
    auto& once = c.machine.resources[test::memory_of_lines].lines->once;
    once[timing::lines_of_once] = {{1 + below(random, 400), 1}, {}};
    if (below(random, 2) == 0) once[64] = {{1 + below(random, once.begin()->second.cycles.numerator), 1}, {}};
  }
  // Refreshes are so far apart that no access meets two of them, of which its latency has one.
  test::add_waits(c.machine, {1 + below(random, 200), int64_t{4096} << below(random, 8), 20 + below(random, 100), {}},
                  {1 + below(random, 100), 410 + below(random, 400), {}});
  c.shape.warps_per_block = 1 + below(random, 4);
  c.shape.trips = 1 + below(random, 4);
  c.shape.barriers = below(random, 2) == 0;
  c.blocks = 1 + below(random, 4);
  c.machine_code = below(random, 3) > 0;
  return c;
}

// Network and unit have an atomic of few lines in so many cycles together, apart the unit has it in up to 120.
void state_few(timing::Machine& machine, Random& random) {
  machine.resources[test::network_of_lines].lines->of(timing::Guarantee::few).cycles = {1 + below(random, 3), 1};
  const size_t unit = machine.resources.size();
  machine.resources.push_back(
      {"atomic", 1, timing::ResourceFigures::Sharing::device, timing::Evidence::assumed, "toy"});
  const auto kind = ir::OperationKind::atomic_global;
  timing::OperationFigures of_few = *machine.figures(kind);
  std::erase_if(of_few.occupancies, [](const auto& hold) { return hold.resource == test::network_of_lines; });
  const int64_t together = 1 + below(random, 80);
  of_few.occupancies.push_back({unit, together, false, together});
  machine.form_figures.push_back({kind, {{}, {}, {}, {"few"}, false}, of_few});
  for (auto* table : {&machine.operations, &machine.otherwise}) {
    (*table)[static_cast<size_t>(kind)]->occupancies.push_back({unit, 120, false, 120});
  }
}

// Which are what the launch passes: all, none or, if it is known where they lie, some; each in a line of its own.
void tell_constants(test::TestKernel& k, Random& random) {
  const bool known = below(random, 2) == 0, some = below(random, 2) == 0;
  if (known) k.kernel.constant_places.emplace();
  for (ir::Instruction& instruction : k.kernel.instructions) {
    if (k.kernel.operation(instruction).kind != ir::OperationKind::load_param) continue;
    const bool of_launch = known && below(random, 2) == 0;
    const int64_t bank = of_launch ? ir::Kernel::launch_bank : 3;
    const auto number = static_cast<int64_t>(known ? k.kernel.constant_places->size() : 0);
    if (known) k.kernel.constant_places->push_back({bank, 64 * number, 8});
    if (!(known ? of_launch : some)) continue;
    k.kernel.operations.push_back(k.kernel.operation(instruction));
    k.kernel.operations.back().reads_launch = true;
    instruction.operation = static_cast<uint32_t>(k.kernel.operations.size() - 1);
  }
}

timing::Load load_of(const Case& c, const test::TestKernel& k) {
  ir::Launch launch;
  launch.block = ir::Extent{32 * c.shape.warps_per_block, 1, 1};
  launch.grid = ir::Extent{c.blocks, 1, 1};
  const auto load = timing::load_of(k.kernel, launch, c.machine);
  REQUIRE(load.ok());
  return *load;
}

int64_t bound_of(const Case& c, const test::TestKernel& k, const timing::AssumptionSet& assumed) {
  const timing::Load load = load_of(c, k);
  const auto pipeline = timing::PipelineRuns(k.kernel, k.flow, load, c.machine).smallest_bound(assumed);
  REQUIRE(pipeline.ok());
  return *pipeline->model.bound.makespan;
}

void compare(const Case& c, const test::TestKernel& k, const timing::AssumptionSet& assumed, Random& random,
             Tally& tally) {
  const timing::Load load = load_of(c, k);
  const auto pipeline = timing::PipelineRuns(k.kernel, k.flow, load, c.machine).smallest_bound(test::in_order(assumed));
  REQUIRE(pipeline.ok());
  const int64_t least = *pipeline->model.bound.makespan;
  const auto any = pipeline->model.any_dispatcher;
  test::MemoryRun run;
  run.assumed = assumed;
  run.resident = c.resident;
  run.in_turn = any && below(random, 2) == 0;
  run.policy = static_cast<int>(below(random, 5));
  run.shorten = below(random, 4) == 0;
  const int64_t bound = run.in_turn ? least : any.value_or(least);
  const int64_t time = test::MemorySimulation(k, c.machine, load, run, random).run();
  ++tally.runs;
  if (time > bound) {
    if (tally.above++ < 3) WARN(time << " above " << bound);
  }
  tally.nearest = std::max(tally.nearest, static_cast<double>(time) / static_cast<double>(bound));
}

std::vector<Tally> compare_all(uint32_t seed, int kernels, bool with_atomics = false) {
  Random random(seed);
  const auto compared = with_atomics ? rungs_with_few() : rungs();
  std::vector<Tally> tallies(compared.size());
  for (int i = 0; i < kernels; ++i) {
    Case c = random_case(random);
    if (with_atomics) {
      c.shape.atomics = c.machine_code = true;
      state_few(c.machine, random);
    }
    test::TestKernel k = test::random_memory_kernel(c.shape, random);
    for (ir::Operation& operation : k.kernel.operations) {
      if (c.machine_code) operation.machine.emplace();
    }
    if (c.machine_code) tell_constants(k, random);
    for (size_t r = 0; r < tallies.size(); ++r) compare(c, k, compared[r].second, random, tallies[r]);
  }
  return tallies;
}

}  // namespace

TEST_CASE("no simulated run exceeds the bound of its rung") {
  for (const Tally& tally : compare_all(test::first_seed(31, 400), test::thinned_seeds(400))) CHECK(tally.above == 0);
}

TEST_CASE("no simulated run with atomics, of network and unit together, exceeds the bound of its rung") {
  const auto tallies = compare_all(test::first_seed(35, 400), test::thinned_seeds(400), true);
  for (const Tally& tally : tallies) CHECK(tally.above == 0);
}

// All warps add to few lines, and some load others, which wait behind them.
TEST_CASE("what atomics of few lines take is waited for by others as by themselves") {
  Random random(test::first_seed(36, 200));
  Tally tally;
  for (int i = 0; i < test::thinned_seeds(200); ++i) {
    Case c = random_case(random);
    c.shape = {4, 8, false, "LLLLL", true};
    c.blocks = 4;
    c.machine_code = true;
    state_few(c.machine, random);
    test::TestKernel k = test::random_memory_kernel(c.shape, random);
    for (ir::Operation& operation : k.kernel.operations) operation.machine.emplace();
    compare(c, k, test::assuming({Assumption::aligned, Assumption::few, Assumption::keeps}), random, tally);
  }
  CHECK(tally.above == 0);
  CHECK(tally.nearest > warpspan::test::or_half(0.6));
}

// Cases in which shares make the bound smaller: port and network or memory are about as slow for each multiprocessor.
TEST_CASE("requests that pass several parts take the time of the slowest where shares are fair") {
  Random random(test::first_seed(37, 300));
  Tally tally;
  for (int i = 0; i < test::thinned_seeds(300); ++i) {
    Case c = random_case(random);
    c.shape.trips = 2 + below(random, 12);
    c.shape.atomics = below(random, 4) == 0;
    c.blocks = c.machine.multiprocessors * (1 + below(random, 3));
    c.machine_code = true;
    auto& resources = c.machine.resources;
    const int64_t all = c.machine.multiprocessors;
    resources[test::port_of_lines].lines = test::line_times(1 + below(random, 12), {1 + below(random, 12), 1}, {1, 1});
    const int64_t few = 1 + below(random, 12);
    resources[test::network_of_lines].lines = test::line_times(few, {1 + below(random, 6), all}, {1, all});
    resources[test::memory_of_lines].lines =
        test::line_times(few + below(random, 9), {1 + below(random, 9), all}, {1, all});
    test::TestKernel k = test::random_memory_kernel(c.shape, random);
    for (ir::Operation& operation : k.kernel.operations) operation.machine.emplace();
    tell_constants(k, random);
    const bool spreads = below(random, 3) > 0, keeps = below(random, 3) == 0;
    timing::AssumptionSet assumed = test::assuming({Assumption::keeps_constants, Assumption::aligned});
    if (spreads) assumed.assume(Assumption::stream);
    if (keeps) assumed.assume(Assumption::keeps);
    const int64_t without = bound_of(c, k, assumed);
    assumed.assume(Assumption::fair_share);
    if (bound_of(c, k, assumed) == without) continue;
    for (int run = 0; run < 5; ++run) compare(c, k, assumed, random, tally);
  }
  CHECK(tally.above == 0);
  CHECK(tally.runs > test::or_half(test::thinned_seeds(300)));
  CHECK(tally.nearest > warpspan::test::or_half(0.7));
}

// One warp after the other misses a line of its own, while those that wait at the barrier touch nothing.
TEST_CASE("warps that wait for each other miss one after another what each of them touches once") {
  Random random(test::first_seed(33, 200));
  Case c;
  c.shape = {8, 8, true};
  c.machine.resources[test::memory_of_lines].lines = test::line_times(2, {1, 1}, {1, 1});
  for (auto* table : {&c.machine.operations, &c.machine.otherwise}) {
    (*table)[static_cast<size_t>(ir::OperationKind::load_global)]->latency = {1000, 1000, 1000};
  }
  test::TestKernel k = test::build_kernel(
      {{"C", {1}}, {"C", {2, 3}, false, 3, 0}, {"LC", {3}, false, 3, 0}, {"S", {1, 4}, false, 4, 0}, {"C", {}}},
      {test::loop(1, c.shape.trips)});
  k.kernel.registers = 1;
  k.kernel.instructions[2].operation = test::add_operation(k.kernel, ir::OperationKind::load_global, 4);
  k.kernel.instructions[4].operation = test::add_operation(k.kernel, ir::OperationKind::barrier, 0);
  test::connect(k, 2, {}, {0});
  test::connect(k, 3, {0}, {0});
  k.flow.transactions[2] = 1;
  k.flow.objects = {{"p", {}}};
  ir::Access access;
  access.instruction = 2;
  access.object = 0;
  access.span = ir::ByteSpan{0, 8 * 128 - 127};
  access.warp_lines = 1;
  access.block_lines = access.grid_lines = access.fewest_grid_lines = 8;
  access.aligned_transactions = 1;
  k.flow.accesses = {access};
  Tally tally;
  for (int i = 0; i < test::thinned_seeds(200); ++i) {
    compare(c, k, test::assuming({Assumption::keeps}), random, tally);
  }
  CHECK(tally.above == 0);
  CHECK(tally.nearest > warpspan::test::or_half(0.4));
}

// A store of lines that memory serves from end to end is not counted for the network, but does not overtake there.
TEST_CASE("a request waits behind a constant of its warp that is on its way through the network") {
  Random random(test::first_seed(34, 200));
  Case c;
  test::TestKernel k = test::build_kernel(
      {{"C", {1}}, {"C", {2, 3}, false, 3, 0}, {"C", {3}, false, 3, 0}, {"L", {1, 4}, false, 4, 0}, {"L", {}}},
      {test::loop(1, 1)});
  k.kernel.registers = 1;
  k.kernel.parameter_bytes = 4096;
  k.kernel.instructions[3].operation = test::add_operation(k.kernel, ir::OperationKind::load_param, 4);
  k.kernel.instructions[4].operation = test::add_operation(k.kernel, ir::OperationKind::store_global, 4);
  for (ir::Operation& operation : k.kernel.operations) operation.machine.emplace();
  test::connect(k, 3, {}, {0});
  k.flow.transactions[3] = 1;
  k.flow.transactions[4] = 1;
  k.flow.objects = {{"p", {}}};
  ir::Access access;
  access.instruction = 4;
  access.object = 0;
  access.span = ir::ByteSpan{0, 1100 * 128 - 127};
  access.grid_lines = access.fewest_grid_lines = 1100;
  access.warp_lines = access.block_lines = 1;
  access.aligned_transactions = 1;
  k.flow.accesses = {access};
  Tally tally;
  for (int i = 0; i < test::thinned_seeds(200); ++i) {
    compare(c, k, test::assuming({Assumption::spread}), random, tally);
  }
  CHECK(tally.above == 0);
  CHECK(tally.nearest > 0.98);
}

TEST_CASE("no simulated run of many exceeds the bound of its rung", "[.][slow]") {
  for (const bool with_atomics : {false, true}) {
    const auto tallies = compare_all(32, with_atomics ? 4000 : 20000, with_atomics);
    const auto compared = with_atomics ? rungs_with_few() : rungs();
    for (size_t r = 0; r < tallies.size(); ++r) {
      WARN(compared[r].first << ": " << tallies[r].runs << " runs, the nearest at " << tallies[r].nearest);
      CHECK(tallies[r].above == 0);
    }
  }
}
