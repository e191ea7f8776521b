// SPDX-License-Identifier: GPL-3.0-or-later
// Assuming more never makes a bound larger, and the ladder says what each grant buys.
#include "timing/bounds/ladder.hpp"

#include <catch2/catch.hpp>

#include "tests/thinned.hpp"
#include "tests/timing/costs/memory_kernels.hpp"
#include "timing/bounds/pipeline_run.hpp"

using namespace warpspan;
using namespace warpspan::timing;
using test::below;
using test::Random;

namespace {

using Sharing = ResourceFigures::Sharing;

// With code that is fetched through the servers that data use; of the 256 lines of the last cache few are needed.
Machine fetching_machine(Random& random) {
  Machine machine = test::line_machine();
  machine.multiprocessors = 1 + below(random, 4);
  machine.schedulers = 1 + below(random, 4);
  machine.dispatch = DispatchFigures{100, 5, 64, {}};
  machine.resources.push_back({"fetch", 1, Sharing::multiprocessor, Evidence::assumed, "toy"});
  const std::vector<Occupancy> way = {{6, 40, false, 40}};
  const std::vector<Occupancy> whole = {
      {test::port_of_lines, 1, false, 1}, {test::network_of_lines, 1, false, 1}, {6, 90, false, 90}};
  const std::vector<Occupancy> from_memory = {{test::memory_of_lines, 1, false, 1}};
  FetchFigures fetch;
  fetch.line = 64;
  fetch.instructions = 4;
  fetch.caches = {{"L0", Sharing::scheduler, (1 + below(random, 4)) * 64, 50, way, Evidence::assumed, "toy", 10},
                  {"L1", Sharing::multiprocessor, (2 + below(random, 8)) * 64, 90, whole, Evidence::assumed, "toy", 30},
                  {"L2", Sharing::device, 256 * 64, 100, from_memory, Evidence::assumed, "toy", 0}};
  machine.fetch = fetch;
  if (below(random, 4) == 0) machine.resources[test::memory_of_lines].lines->reach = below(random, 2 << 20);
  machine.data_caches[1].bytes = below(random, 1 << 20);
  machine.data_caches[0].bytes = below(random, 2048);
  test::add_waits(machine, {1 + below(random, 100), int64_t{4096} << below(random, 8), below(random, 100), {}},
                  {1 + below(random, 60), 100 + below(random, 1000), {}});
  return machine;
}

ir::Launch launch_of(const test::KernelShape& shape, int64_t blocks) {
  ir::Launch launch;
  launch.block = ir::Extent{32 * shape.warps_per_block, 1, 1};
  launch.grid = ir::Extent{blocks, 1, 1};
  return launch;
}

test::KernelShape random_shape(Random& random) {
  return {1 + below(random, 8), 1 + below(random, 20), below(random, 2) == 0};
}

// Facts may be missing, and lanes may diverge in the loop.
void forget_some(test::TestKernel& k, Random& random) {
  for (ir::Access& access : k.flow.accesses) {
    if (below(random, 8) == 0) access.warp_lines.reset();
    if (below(random, 8) == 0) access.block_lines.reset();
    if (!access.dense && below(random, 8) == 0) access.span.reset();
    if (!access.dense && !access.span && below(random, 2) == 0) access.grid_lines.reset();
    if (!access.dense && below(random, 20) == 0) access.object = ir::no_object;
  }
  if (below(random, 4) == 0) k.flow.objects[2].bytes = 1 + below(random, 100000);
  k.flow.blocks[1].divergent = below(random, 3) == 0;
}

int64_t bound(const test::TestKernel& k, const Load& load, const Machine& machine, const AssumptionSet& assumed) {
  const auto run = PipelineRuns(k.kernel, k.flow, load, machine).smallest_bound(assumed);
  REQUIRE(run.ok());
  REQUIRE(run->model.bound.makespan);
  return *run->model.bound.makespan;
}

// The kernel where a line is asked for by as large a part of the launch's warps as in another launch: where it is more
// than half, nothing is spread.
test::TestKernel shared_as_far(test::TestKernel k, const Load& launch, const Load& other) {
  const auto scaled = [](int64_t count, int64_t by, int64_t of) {
    return ceil_divide(support::Integer(count) * by, of).value().value_or(INT64_MAX);
  };
  for (ir::Access& access : k.flow.accesses) {
    if (access.sharing_blocks)
      access.sharing_blocks = scaled(*access.sharing_blocks, launch.device_blocks, other.device_blocks);
    if (access.sharing_warps)
      access.sharing_warps = scaled(*access.sharing_warps, launch.device_warps, other.device_warps);
    if (access.aligned_sharing_warps)
      access.aligned_sharing_warps = scaled(*access.aligned_sharing_warps, launch.device_warps, other.device_warps);
  }
  return k;
}

}  // namespace

TEST_CASE("whatever is granted in addition makes no bound larger") {
  Random random(test::first_seed(41, 300));
  int64_t smaller = 0;
  for (int i = 0; i < test::thinned_seeds(300); ++i) {
    const Machine machine = fetching_machine(random);
    const test::KernelShape shape = random_shape(random);
    test::TestKernel k = test::random_memory_kernel(shape, random);
    forget_some(k, random);
    const auto load = load_of(k.kernel, launch_of(shape, 1 + below(random, 40)), machine);
    REQUIRE(load.ok());
    std::vector<Assumption> order;
    for (size_t a = 0; a < assumptions; ++a) order.push_back(static_cast<Assumption>(a));
    std::shuffle(order.begin(), order.end(), random);
    AssumptionSet assumed;
    int64_t last = bound(k, *load, machine, assumed);
    for (const Assumption assumption : order) {
      assumed.assume(assumption);
      const int64_t now = bound(k, *load, machine, assumed);
      INFO(name_of(assumption) << " of kernel " << i);
      CHECK(now <= last);
      if (now < last) ++smaller;
      last = now;
    }
  }
  CHECK(smaller > test::or_half(test::thinned_seeds(300)));
}

TEST_CASE("the rungs fall strictly, in the order of the ladder, and end where all is granted") {
  constexpr std::array order = {Assumption::ptx_order,   Assumption::keeps_constants, Assumption::warm_parameters,
                                Assumption::keeps_code,  Assumption::shares_code,     Assumption::warm_code,
                                Assumption::aligned,     Assumption::spread,          Assumption::few,
                                Assumption::stream,      Assumption::keeps,           Assumption::recent,
                                Assumption::keeps_pages, Assumption::even_refresh,    Assumption::fair_share};
  Random random(test::first_seed(42, 60));
  std::set<Assumption> seen;
  for (int i = 0; i < test::thinned_seeds(60); ++i) {
    Machine machine = fetching_machine(random);
    machine.resources[test::network_of_lines].lines->of(Guarantee::few).cycles = support::Rational{1, 1};
    const test::KernelShape shape = random_shape(random);
    const test::TestKernel k = test::random_memory_kernel(shape, random);
    const auto load = load_of(k.kernel, launch_of(shape, 1 + below(random, 20)), machine);
    REQUIRE(load.ok());
    PipelineRuns runs(k.kernel, k.flow, *load, machine);
    const auto rungs = ladder(runs);
    REQUIRE(rungs.ok());
    CHECK_FALSE(rungs->front().assumption);
    CHECK(*rungs->front().makespan == bound(k, *load, machine, {}));
    AssumptionSet all;
    for (const Assumption assumption : order) all.assume(assumption);
    CHECK(*rungs->back().makespan == bound(k, *load, machine, all));
    auto place = order.begin();
    for (size_t r = 1; r < rungs->size(); ++r) {
      const Rung& rung = (*rungs)[r];
      CHECK(*rung.makespan < *(*rungs)[r - 1].makespan);
      CHECK_FALSE(rung.what.empty());
      place = std::find(place, order.end(), *rung.assumption);
      REQUIRE(place != order.end());
      seen.insert(*place++);
    }
  }
  // These kernels are as PTX, for which neither waits that come once, what the launch passes nor shares are counted.
  CHECK_FALSE(seen.contains(Assumption::warm_parameters));
  CHECK_FALSE(seen.contains(Assumption::keeps_pages));
  CHECK_FALSE(seen.contains(Assumption::even_refresh));
  CHECK_FALSE(seen.contains(Assumption::fair_share));
  CHECK(seen.size() == order.size() - 4);
}

TEST_CASE("more blocks, more warps and later lines make no rung smaller") {
  Random random(test::first_seed(43, 60));
  for (int i = 0; i < test::thinned_seeds(60); ++i) {
    const Machine machine = fetching_machine(random);
    Machine slower = machine;
    auto& times = slower.resources[test::memory_of_lines].lines->times;
    for (LineTime& time : times) time.cycles.numerator *= 2;
    Machine late = machine;
    late.data_caches[1].hit += 20;  // and a miss, which takes as much more than a hit as before
    for (size_t kind = 0; kind < late.operations.size(); ++kind) {
      if (!late.operations[kind] || late.operations[kind]->latency.worst < machine.data_caches[1].hit) continue;
      late.operations[kind]->latency.worst += 20;
      late.otherwise[kind] = late.operations[kind];
    }
    const test::KernelShape shape = random_shape(random);
    const test::TestKernel k = test::random_memory_kernel(shape, random);
    const int64_t blocks = 1 + below(random, 20);
    const auto load = load_of(k.kernel, launch_of(shape, blocks), machine);
    const auto more = load_of(k.kernel, launch_of(shape, blocks + 1 + below(random, 5)), machine);
    test::KernelShape wider = shape;
    ++wider.warps_per_block;
    const auto wide = load_of(k.kernel, launch_of(wider, blocks), machine);
    REQUIRE((load.ok() && more.ok() && wide.ok()));
    AssumptionSet assumed;
    for (size_t a = 0; a < assumptions; ++a) {
      assumed.assume(static_cast<Assumption>(a));
      const int64_t base = bound(k, *load, machine, assumed);
      CHECK(bound(shared_as_far(k, *more, *load), *more, machine, assumed) >= base);
      CHECK(bound(shared_as_far(k, *wide, *load), *wide, machine, assumed) >= base);
      CHECK(bound(k, *load, slower, assumed) >= base);
      CHECK(bound(k, *load, late, assumed) >= base);
    }
  }
}

// Times are thousandths of a cycle inside, whose sums overflow long before cycles do.
TEST_CASE("the largest launches have a bound that is no smaller, or none") {
  Random random(test::first_seed(44, 20));
  for (int i = 0; i < test::thinned_seeds(20); ++i) {
    const Machine machine = fetching_machine(random);
    const test::KernelShape shape = random_shape(random);
    const test::TestKernel k = test::random_memory_kernel(shape, random);
    for (const AssumptionSet& assumed : {AssumptionSet(), test::assuming({Assumption::spread}),
                                         test::assuming({Assumption::few, Assumption::stream, Assumption::recent})}) {
      const auto least = load_of(k.kernel, launch_of(shape, 1), machine);
      REQUIRE(least.ok());
      int64_t last = 0;
      bool refused = false;
      for (int64_t blocks = 1; blocks > 0 && blocks < INT64_MAX / 4; blocks *= 4) {
        const auto load = load_of(k.kernel, launch_of(shape, blocks), machine);
        if (!load.ok()) break;
        const test::TestKernel shared = shared_as_far(k, *load, *least);
        const auto run = PipelineRuns(shared.kernel, shared.flow, *load, machine).smallest_bound(assumed);
        const bool has_value = run.ok() && run->model.bound.makespan;
        CHECK((has_value || blocks > (int64_t{1} << 30)));
        CHECK_FALSE((has_value && refused));
        refused = refused || !has_value;
        if (!has_value) continue;
        CHECK(*run->model.bound.makespan >= last);
        last = *run->model.bound.makespan;
      }
      CHECK(last > 0);
    }
  }
}
