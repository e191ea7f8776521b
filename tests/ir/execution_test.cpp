// SPDX-License-Identifier: GPL-3.0-or-later
// Walk's reading of control flow, seen through strings and totals.
#include "ir/execution.hpp"

#include <catch2/catch.hpp>

#include "ir/walk.hpp"
#include "tests/ir/build_kernel.hpp"

using namespace warpspan;
using ir::no_block;
using ir::no_loop;
using test::build_kernel;
using test::loop;
using test::TestKernel;

namespace {

std::string string_of(const TestKernel& k) {
  const auto worst = ir::worst_string(k.kernel, k.flow, {1, 1, 1});
  return worst ? to_string(*worst->string) : "never ends";
}

// Totals of L, C, S and of all instructions.
std::vector<int64_t> totals_of(const TestKernel& k) {
  const auto totals = ir::largest_totals(k.kernel, k.flow, 4, [&](ir::InstructionId id) {
    std::vector<support::Integer> values(4);
    values[static_cast<size_t>(ir::unit_class(k.kernel.operation(k.kernel.instructions[id]).kind))] = 1;
    values[3] = 1;
    return values;
  });
  std::vector<int64_t> result;
  for (const support::Integer total : totals.value()) result.push_back(total.value().value());
  return result;
}

bool only_one(const TestKernel& k) { return ir::worst_string(k.kernel, k.flow, {1, 1, 1})->only_one; }

}  // namespace

TEST_CASE("straight-line code") {
  const TestKernel k = build_kernel({{"LCS", {1}, false, 1}, {"CC", {}}});
  CHECK(string_of(k) == "LCSC2");
  CHECK(totals_of(k) == std::vector<int64_t>{1, 3, 1, 5});
  CHECK(only_one(k));
}

TEST_CASE("a uniform branch takes the longer side, and totals take the larger of each") {
  const TestKernel k =
      build_kernel({{"C", {1, 2}, false, 3}, {"LL", {3}, false, 3}, {"CCC", {3}, false, 3}, {"S", {}}});
  CHECK(string_of(k) == "C4S");
  CHECK(totals_of(k) == std::vector<int64_t>{2, 4, 1, 5});
  CHECK(!only_one(k));
}

TEST_CASE("a divergent branch takes both sides") {
  const TestKernel k = build_kernel({{"C", {1, 2}, true, 3}, {"LL", {3}, false, 3}, {"CCC", {3}, false, 3}, {"S", {}}});
  CHECK(string_of(k) == "CL2C3S");
  CHECK(totals_of(k) == std::vector<int64_t>{2, 4, 1, 7});
}

TEST_CASE("a divergent guard around a piece of code costs that code") {
  const TestKernel k = build_kernel({{"C", {1, 2}, true, 2}, {"LL", {2}, false, 2}, {"S", {}}});
  CHECK(string_of(k) == "CL2S");
}

TEST_CASE("a divergent early exit costs what the remaining lanes execute") {
  TestKernel k = build_kernel({{"C", {1}, true, no_block}, {"LL", {}}});
  k.kernel.blocks[0].may_end = true;
  CHECK(string_of(k) == "CL2");
}

TEST_CASE("nested divergence adds up") {
  // 0: ? 1 : 4;  1: ? 2 : 3;  both to 5.
  const TestKernel k = build_kernel({{"C", {1, 4}, true, 6},
                                     {"C", {2, 3}, true, 5},
                                     {"L", {5}, false, 5},
                                     {"LL", {5}, false, 5},
                                     {"SSS", {6}, false, 6},
                                     {"C", {6}, false, 6},
                                     {"", {}}});
  CHECK(totals_of(k) == std::vector<int64_t>{3, 3, 3, 9});
}

TEST_CASE("a loop tested at its end repeats its body") {
  const TestKernel k = build_kernel({{"C", {1}, false, 1}, {"LLC", {1, 2}, false, 2, 0}, {"L", {}}}, {loop(1, 64)});
  CHECK(string_of(k) == "C(L2C)^64L");
  CHECK(only_one(k));
}

TEST_CASE("a loop tested at its begin runs its header once more than its body") {
  const TestKernel k = build_kernel(
      {{"L", {1}, false, 1}, {"C", {2, 3}, false, 3, 0}, {"SS", {1}, false, 1, 0}, {"L", {}}}, {loop(1, 11)});
  CHECK(string_of(k) == "L(CS2)^10CL");
}

TEST_CASE("nested loops multiply") {
  const TestKernel k = build_kernel({{"C", {1}, false, 1},
                                     {"L", {2}, false, 2, 0},
                                     {"SC", {2, 3}, false, 3, 1},
                                     {"C", {1, 4}, false, 4, 0},
                                     {"L", {}}},
                                    {loop(1, 3), loop(2, 5, 0)});
  CHECK(string_of(k) == "C(L(SC)^5C)^3L");
  CHECK(totals_of(k) == std::vector<int64_t>{4, 19, 15, 38});
}

TEST_CASE("a uniform break leaves by its own way once") {
  // 1: ? 2 : 4 (break);  2: back to 1 or 3;  4 joins 3's successor 5.
  const TestKernel k = build_kernel({{"", {1}, false, 1},
                                     {"C", {2, 4}, false, 5, 0},
                                     {"L", {1, 3}, false, 3, 0},
                                     {"", {5}, false, 5},
                                     {"SSSS", {5}, false, 5},
                                     {"C", {}}},
                                    {loop(1, 10)});
  CHECK(totals_of(k) == std::vector<int64_t>{10, 11, 4, 24});
}

TEST_CASE("a divergent break with code of its own may run that code in every iteration") {
  const TestKernel k = build_kernel({{"", {1}, false, 1},
                                     {"C", {2, 4}, true, 5, 0},
                                     {"L", {1, 3}, false, 3, 0},
                                     {"", {5}, false, 5},
                                     {"SSSS", {5}, false, 5},
                                     {"C", {}}},
                                    {loop(1, 10)});
  CHECK(totals_of(k)[2] == 40);
  CHECK(totals_of(k)[0] == 10);
  CHECK(ir::find_lane_groups(k.kernel, k.flow).lanes_may_desynchronize == std::vector<bool>{false});
}

TEST_CASE("ways out of a loop are taken by 32 groups of lanes at most") {
  // 1: divergent ? 2 : 4;  2: divergent ? 3 : 5;  3: back to 1 or to 6. Both ways out lead to 6.
  for (const int64_t trips : {1, 31, 32, 33, 1000}) {
    INFO(trips);
    const TestKernel k = build_kernel({{"", {1}, false, 1},
                                       {"C", {2, 4}, true, 6, 0},
                                       {"L", {3, 5}, true, 6, 0},
                                       {"", {1, 6}, false, 6, 0},
                                       {"SSSS", {6}, false, 6},
                                       {"LLS", {6}, false, 6},
                                       {"C", {}}},
                                      {loop(1, trips)});
    // Few iterations, each with both ways out; or 32 groups, each with the costlier one.
    const bool is_few = trips <= 32;
    CHECK(totals_of(k)[2] == (is_few ? 5 * trips : 4 * 32));
    CHECK(totals_of(k)[0] == trips + (is_few ? 2 * trips : 2 * 32));
    CHECK(totals_of(k)[1] == trips + 1);
  }
}

TEST_CASE("each time that a loop is entered lanes may take its ways out") {
  // 2 is the inner loop with the way out 4, which leads into the outer loop, or out of it too.
  for (const ir::BlockId end : {5, 6}) {
    INFO(end);
    const TestKernel k = build_kernel({{"", {1}, false, 1},
                                       {"", {2}, false, 2, 0},
                                       {"C", {3, 4}, true, end, 1},
                                       {"L", {2, 5}, false, 5, 1},
                                       {"SSSS", {end}, false, end, end == 5 ? 0 : ir::no_loop},
                                       {"", {1, 6}, false, 6, 0},
                                       {"", {}}},
                                      {loop(1, 10), loop(2, 100, 0)});
    CHECK(totals_of(k)[2] == 10 * 4 * 32);
    CHECK(totals_of(k)[0] == 10 * 100);
  }
}

TEST_CASE("what leads back to the loop around is no way out") {
  // 4 goes on with the next iteration of the outer loop: the groups of lanes are in different iterations.
  const TestKernel k = build_kernel({{"", {1}, false, 1},
                                     {"", {2}, false, 2, 0},
                                     {"C", {3, 4}, true, 6, 1},
                                     {"L", {2, 5}, false, 5, 1},
                                     {"S", {1}, false, 1, 0},
                                     {"", {1, 6}, false, 6, 0},
                                     {"", {}}},
                                    {loop(1, 10), loop(2, 100, 0)});
  CHECK(totals_of(k)[0] >= 32 * 10 * 100);
}

TEST_CASE("a break under a divergent condition lets lanes desynchronize") {
  // 1: divergent ? 2 : 3;  2: uniform break to 5 or on to 4;  3: on to 4;  4: back to 1 or to 5. Lanes join at 5 only.
  const TestKernel k = build_kernel({{"", {1}, false, 1},
                                     {"C", {2, 3}, true, 5, 0},
                                     {"L", {4, 5}, false, 5, 0},
                                     {"S", {4}, false, 4, 0},
                                     {"C", {1, 5}, false, 5, 0},
                                     {"", {}}},
                                    {loop(1, 10)});
  CHECK(ir::find_lane_groups(k.kernel, k.flow).lanes_may_desynchronize == std::vector<bool>{true});
  // One lane alone: C, L or S, C in each of 10 iterations. 32 lanes one after another.
  CHECK(totals_of(k) == std::vector<int64_t>{320, 640, 320, 960});
}

TEST_CASE("a divergent continue lets lanes desynchronize, joined or not") {
  // 1: divergent ? back to 1 : 2 (which post-dominates it);  2: back to 1 or to 3.
  const TestKernel k = build_kernel(
      {{"", {1}, false, 1}, {"C", {1, 2}, true, 2, 0}, {"L", {1, 3}, false, 3, 0}, {"", {}}}, {loop(1, 10)});
  CHECK(ir::find_lane_groups(k.kernel, k.flow).lanes_may_desynchronize == std::vector<bool>{true});
}

TEST_CASE("a divergent if inside a loop that joins in the iteration keeps lanes together") {
  const TestKernel k = build_kernel({{"", {1}, false, 1},
                                     {"C", {2, 3}, true, 4, 0},
                                     {"L", {4}, false, 4, 0},
                                     {"S", {4}, false, 4, 0},
                                     {"C", {1, 5}, true, 5, 0},
                                     {"", {}}},
                                    {loop(1, 10)});
  CHECK(ir::find_lane_groups(k.kernel, k.flow).lanes_may_desynchronize == std::vector<bool>{false});
  CHECK(totals_of(k) == std::vector<int64_t>{10, 20, 10, 40});
}

TEST_CASE("lanes of an inner loop that reconverge outside the outer one desynchronize both") {
  // Outer 1..5, inner 2..4; 2 divergent to 3 or 4; 3 may leave everything (to 6).
  const TestKernel k = build_kernel({{"", {1}, false, 1},
                                     {"C", {2}, false, 2, 0},
                                     {"C", {3, 4}, true, 6, 1},
                                     {"C", {4, 6}, false, 6, 1},
                                     {"C", {2, 5}, false, 6, 1},
                                     {"C", {1, 6}, false, 6, 0},
                                     {"", {}}},
                                    {loop(1, 3), loop(2, 4, 0)});
  CHECK(ir::find_lane_groups(k.kernel, k.flow).lanes_may_desynchronize == std::vector<bool>{true, true});
}

TEST_CASE("a loop that is never left never ends") {
  const TestKernel k = build_kernel({{"", {1}, false, no_block}, {"C", {1}, false, no_block, 0}}, {loop(1, 10)});
  CHECK(string_of(k) == "never ends");
}

TEST_CASE("a million iterations cost no more than ten") {
  const TestKernel k =
      build_kernel({{"C", {1}, false, 1}, {"LLC", {1, 2}, false, 2, 0}, {"L", {}}}, {loop(1, 1000000)});
  CHECK(string_of(k) == "C(L2C)^1000000L");
  CHECK(totals_of(k) == std::vector<int64_t>{2000001, 1000001, 0, 3000002});
}

TEST_CASE("widening a trip count never lowers a total") {
  int64_t before = 0;
  for (int64_t trips = 1; trips < 20; ++trips) {
    const TestKernel k = build_kernel({{"", {1}, false, 1},
                                       {"C", {2, 4}, true, 5, 0},
                                       {"L", {1, 3}, false, 3, 0},
                                       {"", {5}, false, 5},
                                       {"SSSS", {5}, false, 5},
                                       {"C", {}}},
                                      {loop(1, trips)});
    CHECK(totals_of(k)[3] >= before);
    before = totals_of(k)[3];
  }
}

TEST_CASE("the paths with the largest totals execute what makes these totals") {
  // A loop of 7 rounds around a uniform choice between loads and additions, then a divergent one around a loop.
  const TestKernel k = build_kernel({{"C", {1}, false, 1},
                                     {"C", {2, 3}, false, 4, 0},
                                     {"LL", {4}, false, 4, 0},
                                     {"CCCC", {4}, false, 4, 0},
                                     {"S", {1, 5}, false, 5, 0},
                                     {"C", {6, 7}, true, 8},
                                     {"LC", {6, 8}, false, 8, 1},
                                     {"SS", {8}, false, 8},
                                     {"C", {}}},
                                    {loop(1, 7), loop(6, 5)});
  const auto symbols = [&](ir::BlockId id) {
    std::vector<support::Integer> values(4);
    const ir::Block& block = k.kernel.blocks[id];
    for (uint32_t i = 0; i < block.count; ++i) {
      const ir::Operation& operation = k.kernel.operation(k.kernel.instructions[block.first + i]);
      values[static_cast<size_t>(ir::unit_class(operation.kind))] += 1;
    }
    return values;
  };
  const auto paths = ir::largest_block_paths(k.kernel, k.flow, 4, symbols);
  REQUIRE(paths);
  REQUIRE(paths->executions.size() == 4);
  CHECK(paths->executions[3].empty());
  for (size_t m = 0; m < 3; ++m) {
    support::Integer sum;
    for (ir::BlockId b = 0; b < k.kernel.blocks.size(); ++b) sum += paths->executions[m][b] * symbols(b)[m];
    CHECK(sum == paths->totals[m]);
  }
  const size_t loads = 0, additions = 1;
  const auto times = [&](size_t measure, ir::BlockId b) { return paths->executions[measure][b].value().value(); };
  CHECK(times(loads, 2) == 7);
  CHECK(times(loads, 3) == 0);
  CHECK(times(additions, 2) == 0);
  CHECK(times(additions, 3) == 7);
  CHECK(times(additions, 6) == 5);
}
