// SPDX-License-Identifier: GPL-3.0-or-later
// Runs by hand against facts that hold for them, and facts that do not.
#include "ir/execution/contradictions.hpp"

#include <catch2/catch.hpp>

#include "tests/ir/build_kernel.hpp"

using namespace warpspan;
using Of = ir::Contradiction::Of;
using Kind = ir::TracedRequest::Kind;

namespace {

constexpr uint32_t all_lanes = 0xffffffff;

// A block, a loop of one block that runs three times, and a block behind it; a load in each.
test::TestKernel looping_kernel(int64_t trips = 3) {
  ir::Loop loop;
  loop.header = 1;
  loop.trip_count = trips;
  loop.source = ir::TripCountSource::scalar_evolution;
  test::TestKernel made = test::build_kernel({{"L", {1}}, {"LC", {1, 2}, false, 2, 0}, {"LE", {}}}, {loop});
  for (ir::InstructionId id = 0; id < made.kernel.instructions.size(); ++id) made.kernel.instructions[id].line = id + 1;
  return made;
}

void step(ir::WarpTrace& warp, ir::InstructionId id, uint32_t lanes = all_lanes) {
  warp.steps.push_back({id, -1, lanes});
}

// Iterations of lanes, each group by itself.
ir::WarpTrace run_of(const std::vector<std::pair<int, uint32_t>>& groups) {
  ir::WarpTrace warp;
  step(warp, 0);
  for (const auto& [iterations, lanes] : groups) {
    for (int i = 0; i < iterations; ++i) {
      step(warp, 1, lanes);
      step(warp, 2, lanes);
    }
  }
  step(warp, 3);
  step(warp, 4);
  return warp;
}

ir::BlockTrace block_of(std::vector<ir::WarpTrace> warps) {
  ir::BlockTrace block;
  block.warps = std::move(warps);
  return block;
}

std::vector<ir::Contradiction> found_in(const test::TestKernel& code, const ir::BlockTrace& block,
                                        const ir::Launch& launch = {},
                                        const std::vector<ir::BlockExecution::Array>& arrays = {}) {
  ir::ContradictionSearch search(code.kernel, code.flow, launch, arrays);
  search.hold(block);
  return search.found();
}

void ask(ir::WarpTrace& warp, size_t step, Kind kind, const std::vector<uint64_t>& sectors) {
  ir::TracedRequest request;
  request.kind = kind;
  request.lanes = 32;
  request.bytes = 4;
  request.first = static_cast<uint32_t>(warp.sectors.size());
  request.count = static_cast<uint32_t>(sectors.size());
  warp.sectors.insert(warp.sectors.end(), sectors.begin(), sectors.end());
  warp.steps[step].request = static_cast<int32_t>(warp.requests.size());
  warp.requests.push_back(request);
}

}  // namespace

TEST_CASE("contradictions: a run within what is proven has none") {
  CHECK(found_in(looping_kernel(), block_of({run_of({{3, all_lanes}})})).empty());
  CHECK(found_in(looping_kernel(), block_of({run_of({{1, all_lanes}}), run_of({{2, all_lanes}})})).empty());
}

TEST_CASE("contradictions: iterations are those of a thread, from where it entered the loop") {
  const auto found = found_in(looping_kernel(), block_of({run_of({{4, all_lanes}})}));
  REQUIRE(found.size() == 2);
  CHECK(found[0].of == Of::iterations);
  CHECK(found[0].loop == 0);
  CHECK(found[0].instruction == 2);
  CHECK(found[0].proven == 3);
  CHECK(found[0].happened == 4);
  CHECK(found[1].of == Of::executions);
  CHECK(found[1].happened == 4);
  // Two groups of lanes do three each: no thread does more, but the warp executes the block six times, which it cannot
  // where the branch does not divide lanes.
  const auto divided = found_in(looping_kernel(), block_of({run_of({{3, 0xff}, {3, ~uint32_t{0xff}}})}));
  REQUIRE(divided.size() == 1);
  CHECK(divided[0].of == Of::executions);
  CHECK(divided[0].proven == 3);
  CHECK(divided[0].happened == 6);
}

TEST_CASE("contradictions: the worst of each place, and nothing of loops whose number is a time") {
  const test::TestKernel code = looping_kernel();
  ir::ContradictionSearch both(code.kernel, code.flow, {}, {});
  both.hold(block_of({run_of({{4, all_lanes}})}));
  both.hold(block_of({run_of({{7, all_lanes}})}));
  CHECK(both.found().front().happened == 7);
  test::TestKernel waiting = looping_kernel();
  waiting.flow.loops[0].longest_wait = 100;
  CHECK(found_in(waiting, block_of({run_of({{9, all_lanes}})})).empty());
}

TEST_CASE("contradictions: a block that was not executed to its end is not held against counts") {
  ir::BlockTrace block = block_of({run_of({{9, all_lanes}})});
  block.stopped = "a block needs more steps";
  CHECK(found_in(looping_kernel(), block).empty());
}

TEST_CASE("contradictions: blocks that no thread, or only some warps, execute") {
  test::TestKernel code = looping_kernel();
  code.flow.blocks[2].warps = 1;
  const auto two = found_in(code, block_of({run_of({{1, all_lanes}}), run_of({{1, all_lanes}})}));
  REQUIRE(two.size() == 1);
  CHECK(two[0].of == Of::warps);
  CHECK(two[0].instruction == 4);
  CHECK(two[0].proven == 1);
  CHECK(two[0].happened == 2);
  code = looping_kernel();
  code.flow.blocks[2].blocks = ir::SomeBlocks{1, 4};
  ir::ContradictionSearch some(code.kernel, code.flow, {}, {});
  some.hold(block_of({run_of({{1, all_lanes}}), run_of({{1, all_lanes}})}));
  CHECK(some.found().empty());
  some.hold(block_of({run_of({{1, all_lanes}})}));
  REQUIRE(some.found().size() == 1);
  CHECK(some.found()[0].of == Of::blocks);
  CHECK(some.found()[0].proven == 1);
  CHECK(some.found()[0].happened == 2);
  code = looping_kernel();
  code.flow.blocks[2].executed = false;
  CHECK_FALSE(found_in(code, block_of({run_of({{1, all_lanes}})})).empty());
}

TEST_CASE("contradictions: transactions and lines of accesses") {
  test::TestKernel code = looping_kernel();
  code.flow.transactions.assign(code.kernel.instructions.size(), 0);
  code.flow.transactions[0] = 2;
  ir::Access access;
  access.instruction = 0;
  access.warp_lines = 1;
  access.block_lines = 2;
  code.flow.accesses = {access};
  ir::WarpTrace one = run_of({{1, all_lanes}});
  ask(one, 0, Kind::load, {0, 1, 4});  // two lines
  const auto found = found_in(code, block_of({one}));
  REQUIRE(found.size() == 1);
  CHECK(found[0].of == Of::warp_lines);
  CHECK(found[0].happened == 2);
  ir::WarpTrace other = run_of({{1, all_lanes}});
  ask(other, 0, Kind::load, {0, 4, 8});
  const auto more = found_in(code, block_of({one, other}));
  REQUIRE(more.size() == 3);
  CHECK(more[0].of == Of::transactions);
  CHECK(more[0].happened == 3);
  CHECK(more[2].of == Of::block_lines);
  CHECK(more[2].proven == 2);
  CHECK(more[2].happened == 3);
}

// What happens behind a wrong size of an array says nothing of other facts.
TEST_CASE("contradictions: arrays that are accessed beyond their size come alone") {
  test::TestKernel code = looping_kernel(1);
  code.flow.transactions.assign(code.kernel.instructions.size(), 32);
  ir::Launch launch;
  launch.buffers = {{"x", 64}};
  ir::WarpTrace warp = run_of({{2, all_lanes}});
  ask(warp, 0, Kind::store, {0x1000 / 32, 0x1020 / 32});
  CHECK(found_in(code, block_of({warp}), launch, {{"x", 0x1000}}).front().of == Of::iterations);
  ask(warp, 1, Kind::store, {0x1040 / 32});
  const auto found = found_in(code, block_of({warp}), launch, {{"x", 0x1000}});
  REQUIRE(found.size() == 1);
  CHECK(found[0].of == Of::array);
  CHECK(found[0].array == "x");
  CHECK(found[0].proven == 64);
  CHECK(found[0].happened == 65);
}

TEST_CASE("contradictions: bytes of an object that an instruction does not access") {
  test::TestKernel code = looping_kernel();
  code.flow.transactions.assign(code.kernel.instructions.size(), 32);
  code.flow.objects = {{"x", std::nullopt}};
  ir::Access access;
  access.instruction = 0;
  access.object = 0;
  access.span = ir::ByteSpan{64, 128};
  code.flow.accesses = {access};
  const auto with = [&](uint64_t address) {
    ir::WarpTrace warp = run_of({{1, all_lanes}});
    ask(warp, 0, Kind::load, {address / 32});
    return found_in(code, block_of({warp}), {}, {{"x", 0x1000}});
  };
  CHECK(with(0x1040).empty());
  CHECK(with(0x1060).empty());
  REQUIRE(with(0x1080).size() == 1);
  CHECK(with(0x1080).front().of == Of::span);
  REQUIRE(with(0x1020).size() == 1);
  CHECK(with(0x1020).front().happened == 32);
}
