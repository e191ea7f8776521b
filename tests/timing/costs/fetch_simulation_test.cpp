// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline bound against runs that begin with cold instruction caches: no run takes longer than the bound.
#include "tests/timing/costs/fetch_simulation.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>

#include "tests/timing/in_order.hpp"
#include "tests/timing/toy_machine.hpp"

using namespace warpspan;
using test::below;
using test::Random;

namespace {

std::string symbols(Random& random, int64_t count, const char* from = "LCSCC") {
  const std::string_view choice = from;
  std::string text;
  for (int64_t i = 0; i < count; ++i) text += choice[static_cast<size_t>(below(random, std::ssize(choice)))];
  return text;
}

// --- Kernels of about n instructions each.

test::TestKernel straight(Random& random, int64_t n) { return test::build_kernel({{symbols(random, n), {}}}); }

// Two loops in a loop, and a loop behind them; trips such that it runs each instruction a few times.
test::TestKernel loops(Random& random, int64_t n) {
  const auto part = [&] { return symbols(random, 1 + below(random, std::max<int64_t>(1, n / 4))); };
  const int64_t outer = 1 + below(random, 3);
  return test::build_kernel(
      {{part(), {1}},
       {part(), {2}, false, 2, 0},
       {part(), {2, 3}, false, 3, 1},
       {part(), {1, 4}, false, 4, 0},
       {part(), {5}},
       {part(), {5, 6}, false, 6, 2},
       {part(), {}}},
      {test::loop(1, outer), test::loop(2, 1 + below(random, 5), 0), test::loop(5, 1 + below(random, 5))});
}

// A body that is run again and again, each time from another place.
test::TestKernel calls(Random& random, int64_t n) {
  const auto part = [&] { return symbols(random, 1 + below(random, std::max<int64_t>(1, n / 4))); };
  return test::build_kernel({{part(), {1}},
                             {part(), {2, 3, 4}, false, 5, 0},
                             {part(), {5}, false, 5, 0},
                             {part(), {5}, false, 5, 0},
                             {part(), {5}, false, 5, 0},
                             {part(), {1, 6}, false, 6, 0},
                             {part(), {}}},
                            {test::loop(1, 1 + below(random, 6))});
}

// Pieces of which a warp takes some.
test::TestKernel branches(Random& random, int64_t n) {
  const auto part = [&] { return symbols(random, 1 + below(random, std::max<int64_t>(1, n / 4))); };
  return test::build_kernel({{part(), {1, 2}, false, 3},
                             {part(), {3}, false, 3},
                             {part(), {3}, false, 3},
                             {part(), {4, 5}, false, 5},
                             {part(), {5}, false, 5},
                             {part(), {}}});
}

void make_barrier(test::TestKernel& k, ir::InstructionId id) {
  ir::Operation operation;
  operation.text = "barrier";
  operation.kind = ir::OperationKind::barrier;
  k.kernel.operations.push_back(operation);
  k.kernel.instructions[id].operation = static_cast<uint32_t>(k.kernel.operations.size() - 1);
}

// A long piece or a short one, again and again, with a barrier at the end of each round: a warp that comes late to the
// long piece has waited for nobody, and its cache has not what those of others have.
test::TestKernel rounds(Random& random, int64_t n) {
  test::TestKernel k = test::build_kernel({{"C", {1}},
                                           {"C", {2, 3}, false, 4, 0},
                                           {symbols(random, n, "C"), {4}, false, 4, 0},
                                           {"C", {4}, false, 4, 0},
                                           {"C", {1, 5}, false, 5, 0},
                                           {"C", {}}},
                                          {test::loop(1, 2 + below(random, 3))});
  make_barrier(k, k.kernel.blocks[4].first);
  return k;
}

struct Family {
  const char* name;
  test::TestKernel (*build)(Random&, int64_t);
  bool whole_loops;  // all warps run all rounds, for they meet at barriers
};
constexpr Family families[] = {{"straight", straight, false},
                               {"loops", loops, false},
                               {"calls", calls, false},
                               {"branches", branches, false},
                               {"rounds", rounds, true}};

// Registers that depend on each other, transactions, and perhaps a barrier in a block that every warp runs once. Lean:
// no more than the issue of instructions, so that the rest of a bound hides nothing.
void furnish(test::TestKernel& k, Random& random, bool barrier, bool lean) {
  constexpr uint32_t registers = 5;
  k.kernel.registers = registers;
  for (size_t id = 0; id < k.kernel.instructions.size(); ++id) {
    ir::Instruction& instruction = k.kernel.instructions[id];
    if (instruction.operation > 2) continue;  // a barrier
    if (lean) instruction.operation = 1;
    if (lean) continue;
    instruction.first_register = static_cast<uint32_t>(k.kernel.register_pool.size());
    instruction.reads = static_cast<uint16_t>(below(random, 3));
    instruction.writes = 1;
    for (int i = 0; i <= instruction.reads; ++i) {
      k.kernel.register_pool.push_back(static_cast<ir::RegisterId>(below(random, registers)));
    }
    if (instruction.operation == 0) k.flow.transactions[id] = static_cast<uint8_t>(1 + below(random, 4));
  }
  const ir::InstructionId some = static_cast<ir::InstructionId>(below(random, k.kernel.blocks[0].count));
  if (!barrier) return;
  ir::Instruction& instruction = k.kernel.instructions[some];
  instruction.reads = instruction.writes = 0;
  k.flow.transactions[some] = 0;
  make_barrier(k, some);
}

// The toy machine with three caches, their lines, round trips and holds drawn at random.
timing::Machine machine_with_fetch(Random& random, int64_t largest) {
  using Sharing = timing::ResourceFigures::Sharing;
  timing::Machine machine = test::toy_machine();
  machine.schedulers = 1 + below(random, 3);
  machine.multiprocessors = 1 + below(random, 3);
  machine.issue_gap = 1 + below(random, 6);
  machine.resources.push_back({"network", 1, Sharing::device, timing::Evidence::assumed, "toy"});
  machine.resources.push_back({"memory", 1 + below(random, 2), Sharing::device, timing::Evidence::assumed, "toy"});
  machine.resources.push_back({"fetch", 1, Sharing::multiprocessor, timing::Evidence::assumed, "toy"});
  const int64_t row = below(random, 2) == 0 ? 17 : 150;
  for (auto* figures : {&machine.operations, &machine.otherwise}) {
    auto& load = (*figures)[static_cast<size_t>(ir::OperationKind::load_global)];
    load->occupancies.push_back({3, 3, true, 3});
    load->occupancies.push_back({4, row, true, row});
    load->per_transaction = row;
    auto& sequence = (*figures)[static_cast<size_t>(ir::OperationKind::special)];
    sequence->instructions = 3;
    sequence->occupancies[0] = {0, 3, false, 3};
  }
  timing::FetchFigures fetch;
  fetch.line = 64;
  fetch.instructions = 1 + below(random, 8);
  const auto cache = [&](const char* name, Sharing sharing, int64_t lines, int64_t miss, std::vector<size_t> held) {
    timing::CodeCache result;
    result.name = name;
    result.sharing = sharing;
    result.bytes = lines * fetch.line;
    result.miss = miss;
    for (const size_t r : held) {
      const int64_t cycles =
          std::array<int64_t, 3>{0, miss, below(random, miss + 1)}[static_cast<size_t>(below(random, 3))];
      result.occupancies.push_back({r, cycles, false, cycles});
    }
    fetch.caches.push_back(result);
  };
  const int64_t nearest = below(random, 3) == 0 ? 1 : 1 + below(random, largest);
  const int64_t next = nearest * (1 + below(random, 4));
  const auto miss = [&random](int64_t most) { return below(random, 3) == 0 ? 0 : below(random, most); };
  cache("L0", Sharing::scheduler, nearest, miss(150), {5});
  cache("L1", Sharing::multiprocessor, next, miss(150), {5, 3});
  cache("L2", Sharing::device, next * (1 + below(random, 50)), miss(300), {5, 4});
  machine.fetch = fetch;
  return machine;
}

int64_t divisor(Random& random, int64_t n) {
  int64_t result = 1 + below(random, n);
  while (n % result != 0) --result;
  return result;
}

test::FetchRun random_run(Random& random, const timing::Machine& machine, int64_t most_warps) {
  test::FetchRun run;
  run.warps_per_block = 1 + below(random, most_warps);
  run.blocks = 1 + below(random, 2 * machine.multiprocessors);
  run.resident = 1 + below(random, 2);
  for (const timing::CodeCache& cache : machine.fetch->caches) {
    run.ways.push_back(divisor(random, cache.bytes / machine.fetch->line));
  }
  return run;
}

std::optional<timing::Analysis> bound(const test::TestKernel& k, const timing::Machine& machine,
                                      const test::FetchRun& run) {
  ir::Launch launch;
  launch.block = ir::Extent{32 * run.warps_per_block, 1, 1};
  if (run.blocks > 1) launch.grid = ir::Extent{run.blocks, 1, 1};
  timing::AssumptionSet assumed;
  if (run.warm) assumed.assume(timing::Assumption::warm_code);
  if (run.own_caches) assumed.assume(timing::Assumption::keeps_code);
  timing::Limits limits;
  limits.seconds = 0;
  auto analysis = analyze(k.kernel, k.flow, launch, machine, test::in_order(assumed), limits);
  REQUIRE(analysis.ok());
  REQUIRE(analysis->bounds.front().bound.safe);
  return *analysis;
}

// Every policy, with the extremes drawn at random; the longest run over the bound, or 0.
double longest_run(const test::TestKernel& k, timing::Machine machine, test::FetchRun run, Random& random) {
  const bool whole_loops = run.whole_loops;
  machine.max_blocks = {run.resident, run.resident};
  const auto analysis = bound(k, machine, run);
  const int64_t makespan = *analysis->bounds.front().bound.makespan;
  run.any_place = analysis->bounds.front().bound.method == "grid";
  int64_t longest = 0;
  for (int policy = 0; policy < 5; ++policy) {
    run.policy = policy;
    run.lines_last = below(random, 2) == 0;
    run.look_late = below(random, 2) == 0;
    run.shorten = below(random, 4) == 0;
    run.whole_loops = whole_loops || below(random, 2) == 0;
    test::FetchSimulation simulation(k, machine, run, random);
    const int64_t end = simulation.run();
    INFO("policy " << policy << ", lines last " << run.lines_last << ", late " << run.look_late << ", shorten "
                   << run.shorten << ", warm " << run.warm << ", own " << run.own_caches << ", warps "
                   << run.warps_per_block << ", blocks " << run.blocks << " on " << machine.multiprocessors);
    CHECK(end <= makespan);
    longest = std::max(longest, end);
  }
  return longest == 0 ? 0 : static_cast<double>(makespan) / static_cast<double>(longest);
}

struct Grants {
  bool warm = false, own_caches = false;
};

double try_one(const Family& family, int64_t instructions, int64_t most_lines, int64_t most_warps, Grants grants,
               Random& random) {
  test::TestKernel k = family.build(random, instructions);
  furnish(k, random, below(random, 2) == 0, below(random, 2) == 0);
  const timing::Machine machine = machine_with_fetch(random, most_lines);
  test::FetchRun run = random_run(random, machine, most_warps);
  run.warm = grants.warm;
  run.own_caches = grants.own_caches;
  run.whole_loops = family.whole_loops;
  return longest_run(k, machine, run, random);
}

// Many small kernels of each family, caches smaller and larger than they.
void try_many(int rounds, Grants grants, Random& random) {
  for (const Family& family : families) {
    INFO(family.name);
    for (int round = 0; round < rounds; ++round) {
      INFO("round " << round);
      try_one(family, 4 + below(random, 40), 12, 1 + below(random, 4), grants, random);
    }
  }
}

}  // namespace

TEST_CASE("no run with cold caches exceeds the pipeline bound", "[fetch]") {
  Random random(71);
  try_many(150, {}, random);
}

TEST_CASE("no run of a single warp with cold caches exceeds the pipeline bound", "[fetch]") {
  Random random(72);
  for (const Family& family : families) {
    INFO(family.name);
    for (int round = 0; round < 100; ++round) {
      test::TestKernel k = family.build(random, 4 + below(random, 60));
      furnish(k, random, false, false);
      const timing::Machine machine = machine_with_fetch(random, 12);
      test::FetchRun run = random_run(random, machine, 1);
      run.blocks = 1;
      longest_run(k, machine, run, random);
    }
  }
}

TEST_CASE("no run that keeps what was assumed exceeds the pipeline bound", "[fetch]") {
  Random random(73);
  try_many(30, {true, false}, random);
  try_many(30, {false, true}, random);
  try_many(15, {true, true}, random);
}

TEST_CASE("no run of a larger kernel with cold caches exceeds the pipeline bound", "[fetch]") {
  Random random(74);
  for (const Family& family : families) {
    for (const int64_t instructions : {64, 512, 4096}) {
      INFO(family.name << ", " << instructions << " instructions");
      try_one(family, instructions, instructions, 4, {}, random);
    }
  }
}

TEST_CASE("the pipeline bound of cold kernels beside their longest run, up to 100,000 instructions",
          "[.fetch-figures]") {
  Random random(75);
  for (const Family& family : families) {
    for (const int64_t instructions : {64, 1024, 16'384, 100'000}) {
      const bool large = instructions > 10'000;
      std::vector<double> ratios;
      for (int i = 0; i < (large ? 4 : 40); ++i) {
        const int64_t lines = i % 2 == 0 ? instructions : instructions / 16;
        ratios.push_back(try_one(family, instructions, lines, large ? 2 : 4, {}, random));
      }
      std::sort(ratios.begin(), ratios.end());
      std::printf("%-8s %6d instructions: bound / longest run, median %.2f, largest %.2f, least %.2f\n", family.name,
                  static_cast<int>(instructions), ratios[ratios.size() / 2], ratios.back(), ratios.front());
      std::fflush(stdout);
    }
  }
}

TEST_CASE("no run of many random kernels with cold caches exceeds the pipeline bound", "[.fetch-long]") {
  Random random(76);
  try_many(3000, {}, random);
  try_many(1000, {false, true}, random);
  try_many(500, {true, false}, random);
}
