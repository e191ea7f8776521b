// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/costs/fetch.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "tests/ir/build_kernel.hpp"
#include "tests/timing/costs/fetch_simulation.hpp"
#include "tests/timing/in_order.hpp"
#include "tests/timing/toy_machine.hpp"
#include "timing/analysis.hpp"
#include "timing/costs/code_layout.hpp"

using namespace warpspan;
using namespace warpspan::timing;
using test::BlockSpec;
using test::loop;
using Sharing = ResourceFigures::Sharing;

namespace {

// Lines of 4 instructions. L0 of 3 lines, 10 cycles; L1 of 6, 100 cycles; L2 of 1,000, 1,000 cycles. A miss of L0 holds
// `fetch` for 5 cycles, of L1 for 20.
Machine machine() {
  Machine m = test::toy_machine();
  m.schedulers = 2;
  m.multiprocessors = 4;
  m.resources.push_back({"fetch", 1, Sharing::multiprocessor, Evidence::assumed, "toy"});
  FetchFigures fetch;
  fetch.line = 64;
  fetch.instructions = 4;
  fetch.caches = {{"L0", Sharing::scheduler, 3 * 64, 10, {{3, 5, false, 5}}, Evidence::assumed, "toy"},
                  {"L1", Sharing::multiprocessor, 6 * 64, 100, {{3, 20, false, 20}}, Evidence::assumed, "toy"},
                  {"L2", Sharing::device, 1000 * 64, 1000, {}, Evidence::assumed, "toy"}};
  m.fetch = fetch;
  return m;
}

FetchLoad warps_of_one_block(int64_t warps) { return {warps, warps, warps, 1, 1}; }

AssumptionSet assuming(std::initializer_list<Assumption> assumptions) {
  AssumptionSet set;
  for (const Assumption a : assumptions) set.assume(a);
  return set;
}

FetchCost cost(const test::TestKernel& k, const FetchLoad& load, const AssumptionSet& assumed = {}) {
  const Machine m = machine();
  const auto costs = costs_of(k.kernel, m);
  const auto result = fetch_cost(*fetched_layout({k.kernel, k.flow, *costs, m}), *costs, m, load, assumed);
  REQUIRE(result);
  return *result;
}

std::string core(int count) { return std::string(static_cast<size_t>(count), 'C'); }
test::TestKernel straight(int count) { return test::build_kernel({{core(count), {}}}); }

// A loop of `inside` instructions, 9 rounds, with 2 before and 2 behind it.
test::TestKernel with_loop(int inside, bool divergent = false) {
  return test::build_kernel(
      {{core(2), {1}}, {core(inside), {1, 2}, divergent, divergent ? ir::no_block : 2, 0}, {core(2), {}}},
      {loop(1, 9)});
}

CodeLayout layout(const test::TestKernel& k, std::vector<int64_t> keep) {
  const Machine m = machine();
  const auto result = code_layout(k.kernel, k.flow, *costs_of(k.kernel, m), 4, keep);
  REQUIRE(result);
  return *result;
}

}  // namespace

TEST_CASE("lines of instructions that begin anywhere") {
  for (int64_t per_line = 1; per_line <= 9; ++per_line) {
    CHECK(lines_of(0, per_line) == support::Integer(0));
    for (int64_t count = 1; count <= 60; ++count) {
      int64_t most = 0;
      for (int64_t begin = 0; begin < per_line; ++begin) {
        most = std::max(most, (begin + count - 1) / per_line - begin / per_line + 1);
      }
      CHECK(lines_of(count, per_line) == support::Integer(most));
    }
  }
}

TEST_CASE("a path comes to the lines of its blocks, and to those of a loop that is kept once an entry") {
  const CodeLayout plain = layout(with_loop(9), {2, 3});
  CHECK(plain.instructions == support::Integer(13));
  CHECK(plain.lines == support::Integer(4));
  CHECK(plain.path.instructions == support::Integer(2 + 9 * 9 + 2));
  CHECK(plain.path.lines == support::Integer(2 + 9 * 3 + 2));
  CHECK(plain.path.persistent[0] == plain.path.lines);
  CHECK(plain.path.persistent[1] == support::Integer(2 + 3 + 2));
  // Lanes that leave the loop go on while others are in it.
  const CodeLayout apart = layout(with_loop(9, true), {3});
  CHECK(apart.path.persistent[0] == apart.path.lines);
}

TEST_CASE("a barrier ends a piece of code, and lanes that are apart make a piece of each instruction") {
  test::TestKernel k = straight(8);
  CHECK(layout(k, {}).path.lines == support::Integer(3));
  CHECK_FALSE(layout(k, {}).waits_for_warps);
  ir::Operation barrier;
  barrier.kind = ir::OperationKind::barrier;
  k.kernel.operations.push_back(barrier);
  k.kernel.instructions[1].operation = 3;
  CHECK(layout(k, {}).path.lines == support::Integer(2 + 3));
  CHECK(layout(k, {}).waits_for_warps);
  const test::TestKernel apart =
      test::build_kernel({{core(8), {1, 2}, true, 2}, {core(8), {2}, false, 2}, {core(8), {}}});
  CHECK(layout(apart, {}).path.lines == support::Integer(3 + 3 + 3));  // lanes without code wait
  const test::TestKernel both = test::build_kernel(
      {{core(8), {1, 2}, true, 3}, {core(8), {3}, false, 3}, {core(8), {3}, false, 3}, {core(8), {}}});
  CHECK(layout(both, {}).path.lines == support::Integer(3 + 8 + 8 + 3));
}

// Lanes whose values are rare run a routine behind the kernel, to and fro with the others: with the code of a block in
// one piece, 40 divisions of PTX missed 16,304 lines where their machine code may miss 69,103.
TEST_CASE("a division or root of PTX makes a piece of each of its instructions, and has a routine elsewhere") {
  test::TestKernel k = with_loop(8);
  CHECK(layout(k, {3}).path.persistent[0] == support::Integer(2 + 3 + 2));
  ir::Operation division = k.kernel.operations[k.kernel.instructions[2].operation];
  for (const auto kind : {ir::OperationKind::fp64_div, ir::OperationKind::fp64_root, ir::OperationKind::fp32_div,
                          ir::OperationKind::fp32_root, ir::OperationKind::int64_div}) {
    division.kind = kind;
    test::TestKernel with = k;
    with.kernel.operations.push_back(division);
    with.kernel.instructions[4].operation = static_cast<uint32_t>(with.kernel.operations.size() - 1);
    Machine m = machine();
    Costs costs = *costs_of(k.kernel, m);
    costs.operations.push_back(costs.of(k.kernel.instructions[4]));
    costs.operations.back().instructions = 5;
    const auto result = code_layout(with.kernel, with.flow, costs, 4, {3, 5});
    REQUIRE(result);
    // Two instructions before it, five that it stands for, five behind it.
    CHECK(result->path.lines == support::Integer(2 + 9 * (2 + 5 + 2) + 2));
    CHECK(result->path.persistent[0] == result->path.lines);
    CHECK(result->path.persistent[1] == support::Integer(2 + (4 + 1) + 2));
  }
}

TEST_CASE("code that fits is fetched once, whatever the number of warps") {
  const FetchCost alone = cost(straight(9), warps_of_one_block(1));  // 3 lines
  CHECK(alone.lines == 3);
  CHECK(alone.bytes == 9 * 16);
  CHECK(alone.each == 0);
  CHECK(alone.once == 3 * (10 + 100 + 1000));
  const FetchCost four = cost(straight(9), warps_of_one_block(4));
  CHECK(four.each == 0);
  CHECK(four.demand == std::vector<int64_t>(4));
  CHECK(four.once == alone.once + 3 * 5);  // the other scheduler's L0
  // Warps one after another may be warps of both schedulers.
  CHECK(cost(straight(9), {4, 4, 1, 4, 1}).once == 6 * 10 + 3 * (100 + 1000));
  // Two warps on two multiprocessors with caches of their own, and two others that may use the caches left.
  CHECK(cost(straight(9), {4, 2, 1, 2, 2}).once == 6 * (10 + 5) + 6 * 100 + 3 * 1000);
}

TEST_CASE("code that does not fit the nearest cache misses at each instruction beside other warps") {
  const test::TestKernel k = with_loop(13);  // 17 instructions, 5 lines; 4 of the loop
  const int64_t executed = 2 + 9 * 13 + 2;
  const FetchCost shared = cost(k, warps_of_one_block(4));
  CHECK(shared.each == executed * 10);
  CHECK(shared.once == 5 * (100 + 1000));
  CHECK(shared.demand == std::vector<int64_t>{0, 0, 0, executed * 5});
  const FetchCost alone = cost(k, warps_of_one_block(1));
  CHECK(alone.each == (2 + 9 * 4 + 2) * 10);
  const FetchCost kept = cost(k, warps_of_one_block(4), assuming({Assumption::keeps_code}));
  CHECK(kept.each == alone.each);
  CHECK(kept.assumptions.back() == sentence(Assumption::keeps_code));
  // A loop that fits counts once.
  const test::TestKernel small =
      test::build_kernel({{core(20), {1}}, {core(5), {1, 2}, false, 2, 0}, {core(2), {}}}, {loop(1, 9)});
  CHECK(cost(small, warps_of_one_block(4), assuming({Assumption::keeps_code})).each ==
        (6 + 2 + 2) * 10 + (6 + 2 + 2) * 100);
}

TEST_CASE("a warp that is analysed on several multiprocessors misses in a nearer cache as often as behind it") {
  const test::TestKernel k = with_loop(12);
  const auto misses = [&](const FetchLoad& load) {
    std::vector<int64_t> all;
    for (const FetchLevel& level : cost(k, load, assuming({Assumption::keeps_code})).levels)
      all.push_back(level.once + level.each);
    return all;
  };
  const auto one = misses({2, 1, 1, 1, 1}), two = misses({2, 2, 1, 1, 2});
  REQUIRE(one.size() == two.size());
  for (size_t level = 0; level + 1 < two.size(); ++level) CHECK(two[level] >= two[level + 1]);
  for (size_t level = 0; level < two.size(); ++level) CHECK(two[level] >= one[level]);
}

TEST_CASE("code that was run before is not fetched from where it fits") {
  const AssumptionSet warm = assuming({Assumption::warm_code});
  const FetchCost fits = cost(straight(9), warps_of_one_block(4), warm);
  CHECK(fits.once == 0);
  CHECK(fits.each == 0);
  CHECK(fits.levels.empty());
  CHECK(fits.assumptions.back() == sentence(Assumption::warm_code));
  const FetchCost some = cost(with_loop(13), warps_of_one_block(4), warm);
  CHECK(some.once == 0);
  CHECK(some.each == cost(with_loop(13), warps_of_one_block(4)).each);
}

TEST_CASE("a granted assumption that changes nothing is not told") {
  const FetchCost plain = cost(straight(9), warps_of_one_block(4));
  const FetchCost assumed = cost(straight(9), warps_of_one_block(4), assuming({Assumption::keeps_code}));
  CHECK(assumed.assumptions == plain.assumptions);
}

TEST_CASE("own requests for data keep lines waiting where they share a resource") {
  Machine m = machine();
  m.fetch->caches[1].occupancies.push_back({1, 7, false, 7});  // load_store
  test::TestKernel k = test::build_kernel({{"CCCCLCCCC", {}}});
  k.flow.transactions[4] = 32;  // 32 * 5 cycles
  const auto costs = costs_of(k.kernel, m);
  const auto beside = fetch_cost(*fetched_layout({k.kernel, k.flow, *costs, m}), *costs, m, warps_of_one_block(1), {});
  const FetchCost apart = cost(k, warps_of_one_block(1));
  CHECK(beside->once == apart.once + 32 * 5);
}

namespace {

// Machine code of one section, which begins at the first instruction.
test::TestKernel placed(std::vector<BlockSpec> blocks, std::vector<ir::Loop> loops = {}) {
  test::TestKernel k = test::build_kernel(std::move(blocks), std::move(loops));
  for (ir::Operation& operation : k.kernel.operations) operation.machine.emplace();
  uint32_t line = 10;
  k.kernel.sections = {line};
  for (ir::Instruction& instruction : k.kernel.instructions) instruction.line = line++;
  return k;
}

}  // namespace

TEST_CASE("lines of machine code are those in which it lies") {
  // Lines of 4 instructions: the second block begins in the line in which the first one ends.
  const test::TestKernel two = placed({{core(3), {1}}, {core(3), {}}});
  CHECK(layout(two, {}).is_placed);
  CHECK(layout(two, {}).lines == support::Integer(2));
  CHECK(layout(two, {}).path.lines == support::Integer(2));
  test::TestKernel nowhere = two;
  nowhere.kernel.sections.clear();
  CHECK_FALSE(layout(nowhere, {}).is_placed);
  CHECK(layout(nowhere, {}).lines == support::Integer(3));
  CHECK(layout(nowhere, {}).path.lines == support::Integer(2 + 2));
  // What reads a constant for an instruction is none of its own.
  test::TestKernel reads = two;
  reads.kernel.instructions[1].line = reads.kernel.instructions[0].line;
  CHECK(layout(reads, {}).instructions == support::Integer(5));
  // A block to which a way leads from another line is come to anew, though it begins in the middle of one.
  const test::TestKernel joined = placed({{core(3), {1, 2}}, {core(4), {2}}, {core(1), {}}});
  CHECK(layout(joined, {}).path.lines == support::Integer(1 + 1 + 1));
  // A section begins at a line of its own.
  test::TestKernel apart = two;
  for (size_t i = 3; i < 6; ++i) apart.kernel.instructions[i].line += 100;
  apart.kernel.sections.push_back(apart.kernel.instructions[3].line);
  CHECK(layout(apart, {}).lines == support::Integer(2));
  CHECK(layout(apart, {}).path.lines == support::Integer(1 + 1));
}

TEST_CASE("a loop whose lines are known has as many as it lies in") {
  // Instructions 2 to 8 of lines of 4: three lines, of which the loop's round comes to all but the one that it is in.
  const CodeLayout kept =
      layout(placed({{core(2), {1}}, {core(7), {1, 2}, false, 2, 0}, {core(2), {}}}, {loop(1, 9)}), {2, 3});
  CHECK(kept.path.persistent[0] == support::Integer(1 + 9 * 3 + 0));
  CHECK(kept.path.persistent[1] == support::Integer(1 + 3 + 0));
}

TEST_CASE("lanes that are apart come to the lines of their blocks where others do not push these out") {
  const test::TestKernel apart =
      placed({{core(4), {1, 2}, true, 3}, {core(5), {3}, false, 3}, {core(7), {3}, false, 3}, {core(2), {}}});
  const CodeLayout found = layout(apart, {100});
  CHECK(found.path.persistent[0] == support::Integer(1 + 5 + 7 + 1));
  CHECK(found.path.undisturbed[0] == support::Integer(1 + 2 + 2 + 1));
  CHECK(found.path.jumps[0] == support::Integer(1 + 2 + 2 + 1));
  // Together they come to what follows without a jump.
  const CodeLayout together = layout(placed({{core(4), {1}}, {core(8), {}}}), {100});
  CHECK(together.path.undisturbed[0] == support::Integer(3));
  CHECK(together.path.jumps[0] == support::Integer(1));
}

// Compute capability 8.6, where lines of code were seen to come 35 and 142 cycles apart.
TEST_CASE("a warp waits for the next line of shared code as long as lines are apart where that was measured") {
  test::TestKernel k = test::build_kernel({{"CCC", {}}});
  k.kernel.operations[1].key.opcode = "add";
  k.kernel.operations[1].key.types = {"s32"};
  const auto m = load_machine("ampere-consumer");
  REQUIRE(m.ok());
  const auto costs = costs_of(k.kernel, *m);
  REQUIRE(costs.ok());
  const auto layout = fetched_layout({k.kernel, k.flow, *costs, *m});
  REQUIRE(layout);
  REQUIRE(layout->lines == support::Integer(2));
  // Of the nearest `caches`, which have room for a line; all others have all code.
  const auto of_nearest = [&](size_t caches, AssumptionSet assumed) {
    Machine near = *m;
    for (size_t level = 0; level < caches; ++level) near.fetch->caches[level].bytes = 128;
    assumed.assume(Assumption::warm_code);
    return fetch_cost(*layout, *costs, near, warps_of_one_block(1), assumed)->each;
  };
  CHECK(of_nearest(1, {}) == 2 * 79);
  CHECK(of_nearest(1, assuming({Assumption::shares_code})) == 79 + 35);
  CHECK(of_nearest(2, {}) > of_nearest(2, assuming({Assumption::shares_code})));
  CHECK(of_nearest(2, assuming({Assumption::shares_code})) >= 2 * (35 + 142));
  // What memory serves takes its whole time.
  const auto alone = fetch_cost(*layout, *costs, *m, warps_of_one_block(1), {});
  const auto shared = fetch_cost(*layout, *costs, *m, warps_of_one_block(1), assuming({Assumption::shares_code}));
  CHECK(alone->once == shared->once);
}

// A bound of straight code grew by 10 %, as lines that memory serves counted as lines that do not persist, and again.
TEST_CASE("what is shared never takes longer, and lines that memory serves occupy what they do otherwise") {
  Machine m = machine();
  m.fetch->caches[0].shared = 2;
  m.fetch->caches[1].shared = 3;
  const auto under = [&](const test::TestKernel& k, const FetchLoad& load, const AssumptionSet& assumed) {
    const auto costs = costs_of(k.kernel, m);
    return *fetch_cost(*fetched_layout({k.kernel, k.flow, *costs, m}), *costs, m, load, assumed);
  };
  const AssumptionSet shared = assuming({Assumption::shares_code});
  for (const int size : {1, 9, 13, 40}) {
    for (const int64_t warps : {1, 2, 4}) {
      for (const test::TestKernel& k : {straight(size), with_loop(size)}) {
        const FetchLoad load = warps_of_one_block(warps);
        const auto all = [&](const FetchCost& found) {
          return found.once + found.each + found.demand[3] * (warps - 1);
        };
        CHECK(all(under(k, load, shared)) <= all(under(k, load, {})));
      }
    }
  }
  // The other scheduler's L0 asks for lines that the L2 has by then: 2 cycles each, not 5.
  const int64_t alone = under(straight(9), warps_of_one_block(1), shared).once;
  CHECK(alone == 3 * (10 + 100 + 1000));
  CHECK(under(straight(9), warps_of_one_block(4), shared).once == alone + 3 * 2);
  // Of two sides that warps may take, the analysed one has one: the other's lines occupy `fetch` for 5 and 20 cycles.
  m.schedulers = 1;
  m.fetch->caches[0].bytes = m.fetch->caches[1].bytes = 20 * 64;
  const test::TestKernel sides = test::build_kernel(
      {{core(4), {1, 2}, false, 3}, {core(16), {3}, false, 3}, {core(16), {3}, false, 3}, {core(4), {}}});
  const FetchCost plain = under(sides, warps_of_one_block(4), {}),
                  together = under(sides, warps_of_one_block(4), shared);
  CHECK(together.once == plain.once);
}

namespace {

// The machine above, where a miss of L1 has a wait for a translation in it, and one of L2 a wait for a refresh.
Machine machine_with_waits() {
  Machine m = machine();
  m.translation = TranslationFigures{60, 4096, 16, {}};
  m.refresh = RefreshFigures{300, 4000, {}};
  m.fetch->caches[1].translation = 60;
  m.fetch->caches[2].refresh = 300;
  m.fetch->caches[2].occupancies = {{3, 900, false, 900}};
  return m;
}

}  // namespace

TEST_CASE("code waits for each of its pages once, and leaves out waits for refreshes, where that is assumed") {
  const Machine m = machine_with_waits();
  const test::TestKernel k = straight(9);  // 3 lines, on two pages at most
  const auto costs = costs_of(k.kernel, m);
  const auto layout = fetched_layout({k.kernel, k.flow, *costs, m});
  const auto under = [&](std::initializer_list<Assumption> assumed, FetchLoad load) {
    return *fetch_cost(*layout, *costs, m, load, assuming(assumed));
  };
  const FetchLoad alone = warps_of_one_block(1);
  CHECK(under({}, alone).once == 3 * (10 + 100 + 1000));
  const FetchCost pages = under({Assumption::keeps_pages}, alone);
  CHECK(pages.once == 3 * (10 + 40 + 1000) + 2 * 60);
  CHECK(pages.relied.has(Assumption::keeps_pages));
  CHECK(pages.assumptions.back() == sentence(Assumption::keeps_pages));
  CHECK_FALSE(pages.relied.has(Assumption::even_refresh));
  const FetchCost refreshes = under({Assumption::even_refresh}, alone);
  CHECK(refreshes.once == 3 * (10 + 100 + 700));
  CHECK(refreshes.relied.has(Assumption::even_refresh));
  CHECK_FALSE(under({Assumption::even_refresh, Assumption::warm_code}, alone).relied.has(Assumption::even_refresh));
  // On two multiprocessors, which may each wait for the pages.
  const FetchLoad two = {2, 1, 1, 2, 2};
  CHECK(under({}, two).once - under({Assumption::keeps_pages}, two).once == 2 * (3 * 60 - 2 * 60));
  // A file in which misses of two caches have such a wait says that a page is waited for twice.
  Machine twice = m;
  twice.fetch->caches[2].translation = 60;
  CHECK(fetch_cost(*layout, *costs, twice, alone, assuming({Assumption::keeps_pages}))->once ==
        3 * (10 + 40 + 940) + 2 * 2 * 60);
  // A request occupies nothing when it is over.
  Machine longer = m;
  longer.fetch->caches[0].bytes = longer.fetch->caches[1].bytes = longer.fetch->caches[2].bytes = 64;
  const auto demand = [&](const AssumptionSet& assumed) {
    return fetch_cost(*layout, *costs, longer, warps_of_one_block(4), assumed)->demand[3];
  };
  CHECK(demand({}) == 9 * (5 + 20 + 900));
  CHECK(demand(assuming({Assumption::even_refresh})) == 9 * (10 + 100 + 700));
}

TEST_CASE("code on pages") {
  for (int64_t sections = 1; sections <= 2; ++sections) {
    for (int64_t bytes = 2 * sections; bytes <= 40; ++bytes) {
      int64_t most = 0;  // of pages of 8 bytes, over all places of the first byte of each section
      const auto pages_from = [](int64_t begin, int64_t size) { return (begin + size - 1) / 8 - begin / 8 + 1; };
      for (int64_t first = 1; first < bytes; ++first) {
        for (int64_t begin = 0; begin < 8; ++begin) {
          for (int64_t next = 0; next < 8; ++next) {
            most = std::max(most, sections == 1 ? pages_from(begin, bytes)
                                                : pages_from(begin, first) + pages_from(next, bytes - first));
          }
        }
      }
      const int64_t pages = *pages_of_code(bytes, sections, 8).value();
      CHECK(pages >= most);
      CHECK(pages <= most + sections);
    }
  }
}

TEST_CASE("long code comes from many places only where it cannot be shorter, and few multiprocessors run it") {
  test::TestKernel k = test::build_kernel({{"CCC", {}}});
  k.kernel.operations[1].key.opcode = "add";
  k.kernel.operations[1].key.types = {"s32"};
  const auto m = load_machine("hopper");
  REQUIRE(m.ok());
  Services services;
  services.operations.resize(k.kernel.operations.size());
  services.fractions = true;
  const auto costs = costs_of(k.kernel, *m, services);
  REQUIRE(costs.ok());
  auto layout = fetched_layout({k.kernel, k.flow, *costs, *m});
  REQUIRE(layout);
  layout->instructions = bytes_that_spread / 16;
  const auto once = [&](bool is_exact, int64_t blocks = 1) {
    layout->is_exact = is_exact;
    return fetch_cost(*layout, *costs, *m, {blocks, 1, 1, 1, 1}, {})->once;
  };
  CHECK(once(true) < once(false));
  CHECK(once(true, multiprocessors_at_one_line) < once(false, multiprocessors_at_one_line));
  CHECK(once(true, multiprocessors_at_one_line + 1) == once(false, multiprocessors_at_one_line + 1));
  layout->instructions = bytes_that_spread / 16 - 1;
  CHECK(once(true) == once(false));
}

// GPGPU-Sim's GTX 480 takes 74,036 cycles for a straight kernel of 2,048 instructions whose code is cold.
TEST_CASE("cold straight code on Fermi is not below what a simulator of it takes") {
  const auto fermi = load_machine("fermi");
  REQUIRE(fermi.ok());
  const test::TestKernel k = test::build_kernel({{"L" + core(2046) + "L", {}}});
  ir::Launch launch;
  launch.block = ir::Extent{32, 1, 1};
  Limits limits;
  limits.seconds = 0;
  const auto analysis = analyze(k.kernel, k.flow, launch, *fermi, test::in_order(), limits);
  REQUIRE(analysis.ok());
  CHECK(analysis->worst < 14'200);
  CHECK(*analysis->bounds.front().bound.makespan >= 74'036);
  // Each of 256 lines may find the memory at work on another one, for 65 cycles.
  CHECK(*analysis->bounds.front().bound.makespan <= 94'000);
}

TEST_CASE("a run may lose its line between any two instructions to a warp elsewhere") {
  std::mt19937 random(5);
  Machine m = machine();
  m.multiprocessors = m.schedulers = 1;
  m.fetch->instructions = 8;
  m.fetch->caches = {{"L0", Sharing::scheduler, 64, 10, {}, Evidence::assumed, "toy"},
                     {"L2", Sharing::device, 1000 * 64, 0, {}, Evidence::assumed, "toy"}};
  const test::TestKernel k =
      test::build_kernel({{"C", {1, 2}, false, 3}, {core(200), {3}, false, 3}, {core(200), {3}, false, 3}, {"C", {}}});
  int64_t longest = 0;
  for (int seed = 0; seed < 20; ++seed) {
    test::FetchRun run;
    run.warps_per_block = 2;
    run.ways = {1, 1};
    run.look_late = true;
    longest = std::max(longest, test::FetchSimulation(k, m, run, random).run());
  }
  ir::Launch launch;
  launch.block = ir::Extent{64, 1, 1};
  Limits limits;
  limits.seconds = 0;
  const auto analysis = analyze(k.kernel, k.flow, launch, m, test::in_order(), limits);
  REQUIRE(analysis.ok());
  const int64_t lines = 1 + 26 + 1;
  CHECK(longest > analysis->worst + 202 + lines * 10);  // a line a miss is not enough
  CHECK(longest <= *analysis->bounds.front().bound.makespan);
}

TEST_CASE("the bound does not fall when a cache is smaller, a miss longer or a warp more") {
  std::mt19937 random(77);
  const auto below = [&random](int64_t n) { return test::below(random, n); };
  const auto bound = [](const test::TestKernel& k, const Machine& m, ir::Launch launch, const AssumptionSet& assumed) {
    Limits limits;
    limits.seconds = 0;
    const auto analysis = analyze(k.kernel, k.flow, launch, m, test::in_order(assumed), limits);
    REQUIRE(analysis.ok());
    return *analysis->bounds.front().bound.makespan;
  };
  for (int round = 0; round < 150; ++round) {
    const int size = 1 + static_cast<int>(below(40));
    const test::TestKernel k = below(2) == 0 ? straight(size) : with_loop(size, below(2) == 0);
    Machine m = machine();
    ir::Launch launch;
    launch.block = ir::Extent{32 * (1 + below(6)), 1, 1};
    if (below(2) == 0) launch.grid = ir::Extent{1 + below(9), 1, 1};
    AssumptionSet assumed;
    if (below(2) == 0) assumed.assume(Assumption::keeps_code);
    if (below(3) == 0) assumed.assume(Assumption::warm_code);
    if (below(2) == 0) assumed.assume(Assumption::shares_code);
    m.fetch->caches[0].shared = 2;
    m.fetch->caches[1].shared = 3;
    const int64_t before = bound(k, m, launch, assumed);
    CHECK(before <= bound(k, m, launch, {}));
    for (CodeCache& cache : m.fetch->caches) {
      Machine worse = m;
      CodeCache& changed = worse.fetch->caches[static_cast<size_t>(&cache - m.fetch->caches.data())];
      changed.bytes = std::max<int64_t>(64, cache.bytes - 64 * below(cache.bytes / 64));
      INFO("round " << round << ", " << cache.name << ", " << cache.bytes << " to " << changed.bytes << " bytes");
      CHECK(before <= bound(k, worse, launch, assumed));
      changed.bytes = cache.bytes;
      changed.miss += 1 + below(50);
      CHECK(before <= bound(k, worse, launch, assumed));
    }
    launch.block->x += 32;
    CHECK(before <= bound(k, m, launch, assumed));
  }
}
