// SPDX-License-Identifier: GPL-3.0-or-later
// Simulations whose cycles are computed by hand.
#include "timing/simulate/multiprocessor.hpp"

#include <catch2/catch.hpp>

#include "tests/timing/simulate/made_traces.hpp"

using namespace warpspan;
using namespace warpspan::timing;
using namespace warpspan::test;

using Kind = ir::TracedRequest::Kind;
using ir::ExecutionUnit;

namespace {

double waited(const MultiprocessorRun& run, ir::InstructionId id, Stall stall) {
  return run.stalls[id].cycles[static_cast<size_t>(stall)];
}

ir::BlockTrace block_of(std::vector<ir::WarpTrace> warps) {
  ir::BlockTrace block;
  block.warps = std::move(warps);
  return block;
}

}  // namespace

TEST_CASE("a chain of instructions with fixed latencies issues by their stall counts") {
  MadeCode code;
  const auto a = code.add(ExecutionUnit::integer, {.stall = 4});
  const auto b = code.add(ExecutionUnit::integer, {.stall = 6});
  const auto c = code.add(ExecutionUnit::integer);
  const auto run = run_block(code, plain_machine(), block_of({steps({a, b, c})}));
  CHECK(run.cycles == 10);
  CHECK(waited(run, b, Stall::fixed) == 3);  // one of the four cycles is that of the issue
  CHECK(waited(run, c, Stall::fixed) == 5);
  CHECK(run.issued == 3);
}

TEST_CASE("behind a wide product its warp goes on later than its stall count has it, and others do not") {
  MadeCode code;
  const auto product = code.add(ExecutionUnit::wide_multiply, {.stall = 4});
  const auto next = code.add(ExecutionUnit::integer);
  auto machine = plain_machine();
  machine.units.wide_multiply = 4;
  machine.units.wide_multiply_later = 2;
  const auto run = run_block(code, machine, block_of({steps({product, product, next})}));
  // The second product at 6, what is behind it at 12.
  CHECK(run.cycles == 12);
  CHECK(waited(run, product, Stall::fixed) + waited(run, next, Stall::fixed) == 5 + 5);
  // Products of other warps wait for the unit alone: from 0 to 8, and what is behind the second from 10 on.
  CHECK(run_block(code, machine, block_of({steps({product, next}), steps({product, next})})).cycles == 10);
}

TEST_CASE("who waits for a scoreboard issues when the result is there, and the wait is that of its owner") {
  MadeCode code;
  const auto load = code.add(ExecutionUnit::memory, {.stall = 2, .written = 0});
  const auto use = code.add(ExecutionUnit::integer, {.waits = {0}});
  ir::WarpTrace warp = steps({load, use});
  ask(warp, 0, {.kind = Kind::load, .lanes = 32, .bytes = 4}, {0, 1, 2, 3});
  // One cycle of the load/store units, four sectors through the port at one each, of which the first arrives at 2, and
  // memory, which moves two of them a cycle, is never behind: the last pair is asked for at 3, so that it is there at
  // 603, and its second sector is on its way with it.
  const auto run = run_block(code, plain_machine(), block_of({warp}));
  CHECK(run.cycles == 604);
  CHECK(waited(run, use, Stall::memory) == 602);
  CHECK(waited(run, use, Stall::fixed) == 1);
  REQUIRE(run.stalls[use].awaited.size() == 1);
  CHECK(run.stalls[use].awaited[0] == std::pair<ir::InstructionId, double>(load, 602));
  CHECK(run.traffic.loaded == 4);
  CHECK(run.traffic.beyond_l1 == 4);
  CHECK(run.traffic.from_memory == 2);
}

TEST_CASE("a load of what the L1 has takes a hit, and one of another line goes to memory") {
  for (const uint64_t second : {uint64_t{0}, uint64_t{4}}) {
    MadeCode code;
    const auto load = code.add(ExecutionUnit::memory, {.written = 0});
    const auto again = code.add(ExecutionUnit::memory, {.waits = {0}, .written = 1});
    const auto use = code.add(ExecutionUnit::integer, {.waits = {1}});
    ir::WarpTrace warp = steps({load, again, use});
    ask(warp, 0, {.kind = Kind::load, .lanes = 8, .bytes = 4}, {0});
    ask(warp, 1, {.kind = Kind::load, .lanes = 8, .bytes = 4}, {second});
    const auto run = run_block(code, plain_machine(), block_of({warp}));
    // The first at 1 through the load/store units, at 2 through the port: there at 602, as the second's issue.
    CHECK(run.cycles == (second == 0 ? 602 + 1 + 33 : 602 + 1 + 1 + 600));
  }
}

TEST_CASE("a saturated unit executes one instruction after another") {
  MadeCode code;
  const auto a = code.add(ExecutionUnit::special);
  auto machine = plain_machine();
  machine.units.special = 8;
  const auto run = run_block(code, machine, block_of({steps({a}), steps({a}), steps({a}), steps({a})}));
  CHECK(run.cycles == 24);
  CHECK(run.busy[static_cast<size_t>(SimulatedUnit::special)] == 32);
  // The second to the fourth waited 7, 15 and 23 cycles for the unit, and one each for the first issue.
  CHECK(waited(run, a, Stall::unit) + waited(run, a, Stall::not_selected) == 8 + 16 + 24);
  machine.schedulers = 2;  // with units of their own
  CHECK(run_block(code, machine, block_of({steps({a}), steps({a}), steps({a}), steps({a})})).cycles == 8);
}

TEST_CASE("a barrier opens with its last warp") {
  MadeCode code;
  const auto early = code.add(ExecutionUnit::integer);
  const auto late = code.add(ExecutionUnit::integer, {.stall = 15});
  const auto barrier = code.add(ExecutionUnit::none);
  const auto after = code.add(ExecutionUnit::integer);
  const auto warp = [&](ir::InstructionId first) {
    ir::WarpTrace trace = steps({first, barrier, ir::TracedStep::wait, after});
    trace.steps[2].request = 0;
    ask(trace, 1, {.kind = Kind::arrival, .first = 0, .count = 32});
    return trace;
  };
  ir::BlockTrace block = block_of({warp(early), warp(late)});
  block.openings[0] = {64};
  auto machine = plain_machine();
  machine.schedulers = 2;
  machine.units.barrier = 2;
  machine.units.barrier_warp = 2;
  machine.units.branch = 0;  // of the step from `early` over `late`
  const auto run = run_block(code, machine, block);
  // Arrivals at 1 and 15; the barrier takes 2 cycles for each, and 2 more pass until the warps go on at 19.
  CHECK(run.cycles == 19);
  CHECK(waited(run, after, Stall::barrier) == 17 + 3);
}

TEST_CASE("warps that wait at a barrier which does not open are told of") {
  MadeCode code;
  const auto barrier = code.add(ExecutionUnit::none);
  const auto after = code.add(ExecutionUnit::integer);
  ir::WarpTrace trace = steps({barrier, ir::TracedStep::wait, after});
  trace.steps[1].request = 0;
  CHECK(run_block(code, plain_machine(), block_of({trace})).is_stuck);
}

TEST_CASE("bank conflicts keep the load/store units, and make a load of shared memory later") {
  MadeCode code;
  const auto load = code.add(ExecutionUnit::memory, {.written = 0});
  const auto use = code.add(ExecutionUnit::integer, {.waits = {0}});
  ir::WarpTrace warp = steps({load, use});
  ask(warp, 0, {.kind = Kind::shared, .lanes = 32, .bytes = 4, .serial = 4});
  auto machine = plain_machine();
  CHECK(run_block(code, machine, block_of({warp})).cycles == 3 + 23);
  machine.schedulers = 2;  // both issue at 0; the second load begins when the first has its four turns
  CHECK(run_block(code, machine, block_of({warp, warp})).cycles == 4 + 3 + 23);
}

TEST_CASE("a warp waits for its code, and what lies behind comes with it") {
  MadeCode code;
  std::vector<ir::InstructionId> ids;
  for (int i = 0; i < 24; ++i) ids.push_back(code.add(ExecutionUnit::integer));
  auto machine = plain_machine();
  machine.code.cold = 250;
  machine.code.near_miss = 30;
  const auto alone = run_block(code, machine, block_of({steps(ids)}));
  CHECK(alone.cycles == 3 * 250 + 3 * 7 + 2);  // three lines of eight instructions
  CHECK(waited(alone, ids[8], Stall::code) == 250);
  machine.code.ahead = 16;
  machine.code.line_interval = 10;
  // The second line is there ten cycles behind the first, and the third another ten behind, in the cache of the
  // multiprocessor; the scheduler has asked for it with the second.
  const auto ahead = run_block(code, machine, block_of({steps(ids)}));
  CHECK(waited(ahead, ids[0], Stall::code) == 250);
  CHECK(waited(ahead, ids[8], Stall::code) == 2);
}

TEST_CASE("a constant that is an operand is waited for the first time") {
  MadeCode code;
  const auto a = code.add(ExecutionUnit::integer, {}, {.constant = int64_t{3} << 32});
  const auto b = code.add(ExecutionUnit::integer, {}, {.constant = (int64_t{3} << 32) + 60});
  auto machine = plain_machine();
  machine.code.constant_cold = 180;
  const auto run = run_block(code, machine, block_of({steps({a, b})}));
  CHECK(run.cycles == 181);
  CHECK(waited(run, a, Stall::constant) == 180);
  CHECK(waited(run, b, Stall::constant) == 0);
}

TEST_CASE("DEPBAR waits until so many groups of copies are left") {
  for (const uint8_t left : {uint8_t{0}, uint8_t{1}}) {
    MadeCode code;
    using Effect = ir::MachineDetail::Effect;
    const auto copy = code.add(ExecutionUnit::memory);
    const auto commit = code.add(ExecutionUnit::memory, {.written = 0}, {.effect = Effect::commits_copies});
    const auto wait = code.add(ExecutionUnit::none, {.waits = {0}},
                               {.effect = Effect::awaits_copies, .scoreboard = 0, .outstanding = left});
    ir::WarpTrace warp = steps({copy, commit, copy, commit, wait});
    ask(warp, 0, {.kind = Kind::copy, .lanes = 32, .bytes = 4}, {0});
    ask(warp, 2, {.kind = Kind::copy, .lanes = 32, .bytes = 4}, {8});
    auto machine = plain_machine();
    machine.units.branch = 0;
    // The first copy issues at 0 and is there at 1 + 1 + 600, the second one at 2 + 1 + 1 + 600.
    CHECK(run_block(code, machine, block_of({warp})).cycles == (left == 1 ? 602 : 604));
  }
}

TEST_CASE("products of a warp group keep their unit by their columns, and are waited for by groups") {
  using Effect = ir::MachineDetail::Effect;
  for (const uint8_t left : {uint8_t{0}, uint8_t{1}}) {
    MadeCode code;
    const auto wide =
        code.add(ExecutionUnit::group_matrix, {}, {.effect = Effect::commits_products, .depth = 16});  // 128 columns
    const auto wait = code.add(ExecutionUnit::none, {}, {.effect = Effect::awaits_products, .outstanding = left});
    const auto after = code.add(ExecutionUnit::integer);
    auto machine = plain_machine();
    machine.units.branch = 0;
    machine.units.group_matrix_column = 0.5;
    machine.units.group_matrix_least = 20;
    machine.units.group_matrix_result = 30;
    // The second one issues at 64.
    CHECK(run_block(code, machine, block_of({steps({wide, wide, wait, after})})).cycles ==
          (left == 1 ? 64 + 30 : 64 + 64 + 30));
  }
  MadeCode code;
  const auto narrow =
      code.add(ExecutionUnit::group_matrix, {}, {.effect = Effect::commits_products, .depth = 1});  // 8 columns
  const auto wait = code.add(ExecutionUnit::none, {}, {.effect = Effect::awaits_products});
  const auto after = code.add(ExecutionUnit::integer);
  auto machine = plain_machine();
  machine.units.group_matrix_column = 0.5;
  machine.units.group_matrix_least = 20;
  CHECK(run_block(code, machine, block_of({steps({narrow, wait, after})})).cycles == 20);
}

TEST_CASE("a warp sleeps for the next power of two of cycles") {
  MadeCode code;
  const auto sleep = code.add(ExecutionUnit::none);
  const auto after = code.add(ExecutionUnit::integer);
  ir::WarpTrace warp = steps({sleep, after});
  ask(warp, 0, {.kind = Kind::sleep, .lanes = 32});
  warp.requests[0].first = 1000;
  auto machine = plain_machine();
  machine.cycles_of_nanosecond = 2;
  const auto run = run_block(code, machine, block_of({warp}));
  CHECK(run.cycles == 2048);
  CHECK(waited(run, after, Stall::fixed) == 2047);
  machine.units.sleep = 3000;  // at least
  CHECK(run_block(code, machine, block_of({warp})).cycles == 3000);
}

TEST_CASE("a try at a barrier object gives up after its time, and lanes of a compare-and-swap follow one another") {
  const auto cycles = [](const SimulatedMachine& machine, ir::TracedRequest request, bool swaps) {
    MadeCode code;
    const auto asks = code.add(ExecutionUnit::memory, {.written = 0});
    const auto use = code.add(ExecutionUnit::integer, {.waits = {0}});
    auto costs = simulated_costs(code.kernel(), code.details(), machine);
    costs[asks].swaps = swaps;
    ir::WarpTrace warp = steps({asks, use});
    ask(warp, 0, request);
    const ir::BlockTrace block = block_of({warp});
    const SectorSharing sharing(1, 1);
    BlocksToRun work;
    work.trace = [&block](int64_t) { return std::optional(block); };
    return Multiprocessor(costs, machine, sharing, work, SchedulingPolicy::round_robin).run().cycles;
  };
  auto machine = plain_machine();
  machine.units.try_wait = 5000;
  machine.memory.shared_atomic = 20;
  machine.memory.shared_same = 2;
  machine.memory.shared_swap = 4;
  machine.memory.remote = 200;
  machine.memory.remote_occupies = 18;
  CHECK(cycles(machine, {.kind = Kind::gave_up, .lanes = 32, .bytes = 8}, false) == 1 + 5000);
  CHECK(cycles(machine, {.kind = Kind::shared_atomic, .lanes = 32, .bytes = 4, .serial = 8}, false) == 7 * 2 + 20);
  CHECK(cycles(machine, {.kind = Kind::shared_atomic, .lanes = 32, .bytes = 4, .serial = 8}, true) == 7 * 4 + 20);
  // Four wavefronts of 512 bytes, which go to another multiprocessor 128 at a time.
  CHECK(cycles(machine, {.kind = Kind::remote, .lanes = 32, .bytes = 16, .serial = 4}, false) == 4 + 4 * 18 + 200);
}

TEST_CASE("values of 64 bits are matched for twice as long") {
  const auto cycles = [](ExecutionUnit unit, uint8_t bytes) {
    MadeCode code;
    const auto first = code.add(unit, {.written = 0}), second = code.add(unit, {.written = 1});
    const auto use = code.add(ExecutionUnit::integer, {.waits = {1}});
    auto machine = plain_machine();
    machine.units.shuffle_result = 23;
    machine.units.match_any_occupies = 2;
    machine.units.match_any_value = 9;
    machine.units.match_all_occupies = 3;
    machine.units.match_all_result = 28;
    ir::WarpTrace warp = steps({first, second, use});
    for (const size_t step : {0, 1}) ask(warp, step, {.kind = Kind::match, .lanes = 32, .bytes = bytes, .serial = 5});
    return run_block(code, machine, block_of({warp})).cycles;
  };
  CHECK(cycles(ExecutionUnit::match_any, 4) == 2 * 5 * 2 + 23 + 5 * 9);
  CHECK(cycles(ExecutionUnit::match_any, 8) == 2 * 5 * 4 + 23 + 5 * 9);
  CHECK(cycles(ExecutionUnit::match_all, 4) == 2 * 3 + 28);
  CHECK(cycles(ExecutionUnit::match_all, 8) == 2 * 6 + 28);
}

TEST_CASE("special registers keep the load/store units, and are later where they go to uniform ones") {
  const auto cycles = [](ExecutionUnit unit) {
    MadeCode code;
    const auto add = [&](uint8_t board) {
      return code.add(unit, {.written = board}, {}, ir::OperationKind::special_register);
    };
    const auto first = add(0), second = add(1);
    const auto use = code.add(ExecutionUnit::integer, {.waits = {1}});
    auto machine = plain_machine();
    machine.units.special_register = 22;
    machine.units.uniform_result = 12;
    const auto run = run_block(code, machine, block_of({steps({first, second, use})}));
    CHECK(waited(run, use, Stall::result) == run.cycles - 2);  // the second one issues in 1, this one in the last cycle
    return run.cycles;
  };
  // The first one keeps the units from 0 to 1.75, the second one until 3.5.
  CHECK(cycles(ExecutionUnit::none) == 3.5 + 22);
  CHECK(cycles(ExecutionUnit::uniform) == 3.5 + 22 + 12);
}

TEST_CASE("accesses to shared memory of other blocks follow one another on their way") {
  MadeCode code;
  const auto asks = code.add(ExecutionUnit::memory, {.written = 0});
  const auto use = code.add(ExecutionUnit::integer, {.waits = {0}});
  ir::WarpTrace warp = steps({asks, use});
  ask(warp, 0, {.kind = Kind::remote, .lanes = 32, .bytes = 4, .serial = 1});
  auto machine = plain_machine();
  machine.memory.remote = 200;
  machine.memory.remote_occupies = 18;
  CHECK(run_block(code, machine, block_of({warp})).cycles == 1 + 18 + 200);
  CHECK(run_block(code, machine, block_of({warp, warp})).cycles == 1 + 2 * 18 + 200);
}

TEST_CASE("rounds of a compare-and-swap that code repeats wait for all words of a bank, and keep the units for one") {
  MadeCode code;
  const auto load = code.add(ExecutionUnit::memory, {.written = 0});
  const auto add = code.add(ExecutionUnit::half_precision, {.stall = 5, .waits = {0}});
  const auto swap = code.add(ExecutionUnit::memory, {.written = 1}, {.repeated_swap = true});
  const auto test = code.add(ExecutionUnit::integer, {.waits = {1}});
  const auto rounds = [&](std::vector<uint16_t> words, uint8_t bytes, uint32_t word = 0) {
    ir::WarpTrace warp;
    for (const uint16_t serial : words) {
      const size_t first = warp.steps.size();
      for (const auto id : {load, add, swap, test}) warp.steps.push_back({id, -1});
      ask(warp, first, {.kind = Kind::shared, .lanes = 32, .bytes = bytes, .serial = serial});
      ask(warp, first + 2, {.kind = Kind::shared_atomic, .lanes = 32, .bytes = bytes, .serial = serial});
      warp.requests.back().first = word;
    }
    return warp;
  };
  auto machine = plain_machine();
  machine.memory.shared_atomic = 20;
  machine.memory.shared_same = 2;
  machine.memory.shared_swap = 4;
  const auto cycles = [&](const std::vector<ir::WarpTrace>& warps) {
    return run_block(code, machine, block_of(warps)).cycles;
  };
  // The load and its wavefronts, the sum, two swaps of a word and as many wavefronts as the load had; the last test
  // issues then, and those before it a cycle before the next load.
  CHECK(cycles({rounds({1}, 4)}) == 23 + 5 + 20 + 8);
  CHECK(cycles({rounds({3, 2, 1}, 4)}) == (25 + 5 + 30 + 1) + (24 + 5 + 29 + 1) + (23 + 5 + 28));
  CHECK(cycles({rounds({2}, 8)}) == 24 + 5 + 20 + 16);  // two words of a lane
  // Of three warps whose words lie in 32 banks, the last swap waits two cycles for each of the others, less the two by
  // which its load came later.
  CHECK(cycles({rounds({1}, 4, 0), rounds({1}, 4, 1), rounds({1}, 4, 2)}) == 23 + 5 + 20 + 8 + 2 * 2);
  // Of one word: the second warp has read it before the first one changes it, so its swap at 30, behind that of the
  // first one, fails, and it begins again when its result is there.
  CHECK(cycles({rounds({1}, 4), rounds({1}, 4)}) == 30 + 28 + 23 + 5 + 28);
}

TEST_CASE("fences beyond the block follow one another") {
  using Effect = ir::MachineDetail::Effect;
  for (const Effect effect : {Effect::device_fence, Effect::system_fence}) {
    MadeCode code;
    const auto fence = code.add(ExecutionUnit::none, {}, {.effect = effect});
    const auto after = code.add(ExecutionUnit::integer);
    auto machine = plain_machine();
    machine.schedulers = 2;
    machine.units.device_fence = 100;
    machine.units.device_fence_occupies = 60;
    machine.units.system_fence = 300;
    machine.units.system_fence_occupies = 200;
    const ir::WarpTrace warp = steps({fence, after});
    const bool is_of_device = effect == Effect::device_fence;
    CHECK(run_block(code, machine, block_of({warp})).cycles == (is_of_device ? 100 : 300));
    CHECK(run_block(code, machine, block_of({warp, warp})).cycles == (is_of_device ? 120 : 400));
  }
}

TEST_CASE("a texture is a load that takes its port and its time besides") {
  MadeCode code;
  const auto fetch = code.add(ExecutionUnit::memory, {.written = 0});
  const auto use = code.add(ExecutionUnit::integer, {.waits = {0}});
  ir::WarpTrace warp = steps({fetch, use});
  ask(warp, 0, {.kind = Kind::texture, .lanes = 32, .bytes = 4}, {0});
  auto machine = plain_machine();
  machine.memory.texture_port = 16;
  machine.memory.texture_result = 100;
  CHECK(run_block(code, machine, block_of({warp})).cycles == 16 + 1 + 600 + 100);
}

TEST_CASE("bulk copies are made one after another, and are done when all of their bytes are on the way") {
  for (const Kind kind : {Kind::bulk_store, Kind::bulk_reduction}) {
    MadeCode code;
    const auto copy = code.add(ExecutionUnit::none);
    const auto commit =
        code.add(ExecutionUnit::none, {.written = 0}, {.effect = ir::MachineDetail::Effect::commits_bulk_copies});
    const auto wait = code.add(ExecutionUnit::none, {.waits = {0}});
    ir::WarpTrace warp = steps({copy, commit, wait});
    ask(warp, 0, {.kind = kind, .lanes = 1}, std::vector<uint64_t>(128, 0));
    for (uint64_t& sector : warp.sectors) sector = static_cast<uint64_t>(&sector - warp.sectors.data());
    auto machine = plain_machine();
    machine.memory.bulk_bytes = 32;
    machine.memory.bulk_result = 38;
    machine.memory.bulk_reduction = 2;
    CHECK(run_block(code, machine, block_of({warp})).cycles == 128 + 38);
    machine.memory.store_queue = 0;  // then the way to the L2 counts: a cycle a sector, and two of sums
    CHECK(run_block(code, machine, block_of({warp})).cycles == 128 + (kind == Kind::bulk_store ? 128 : 256) + 38);
  }
}

TEST_CASE("lines that are named keep the way to the L2 and no warp") {
  MadeCode code;
  const auto prefetch = code.add(ExecutionUnit::memory);
  const auto load = code.add(ExecutionUnit::memory, {.written = 0});
  const auto use = code.add(ExecutionUnit::integer, {.waits = {0}});
  ir::WarpTrace warp = steps({prefetch, load, use});
  ask(warp, 0, {.kind = Kind::line, .lanes = 4, .bytes = 1}, {0, 4, 8, 12});
  ask(warp, 1, {.kind = Kind::shared, .lanes = 32, .bytes = 4, .serial = 1});
  auto machine = plain_machine();
  machine.memory.control_line = 3;
  CHECK(run_block(code, machine, block_of({warp})).cycles == 1 + 23);
  machine.memory.store_queue = 0;  // the load/store units wait for it
  CHECK(run_block(code, machine, block_of({warp})).cycles == 1 + 4 * 3 + 23);
}

TEST_CASE("policies choose among warps that can issue") {
  MadeCode code;
  const auto a = code.add(ExecutionUnit::integer);
  const auto b = code.add(ExecutionUnit::integer, {.stall = 10});
  const auto c = code.add(ExecutionUnit::integer);
  const ir::BlockTrace block = block_of({steps({a, b, c}), steps({a, b, c})});
  const auto cycles = [&](SchedulingPolicy policy) { return run_block(code, plain_machine(), block, policy).cycles; };
  // One warp's a and b at 0 and 1, then those of the other at 2 and 3, whose c is free at 13.
  CHECK(cycles(SchedulingPolicy::greedy_then_oldest) == 13);
  CHECK(cycles(SchedulingPolicy::greedy_then_youngest) == 13);
  // In turns: a, a, b, b at 0 to 3.
  CHECK(cycles(SchedulingPolicy::round_robin) == 13);
}

TEST_CASE("blocks begin in the places of those that have ended") {
  MadeCode code;
  const auto a = code.add(ExecutionUnit::integer, {.stall = 5});
  const auto b = code.add(ExecutionUnit::integer);
  auto machine = plain_machine();
  machine.blocks.next_block = 100;
  const auto costs = simulated_costs(code.kernel(), code.details(), machine);
  const SectorSharing sharing(1, 1);
  BlocksToRun work;
  work.blocks = 3;
  work.trace = [&](int64_t) { return std::optional(block_of({steps({a, b})})); };
  const auto run = Multiprocessor(costs, machine, sharing, work, SchedulingPolicy::round_robin).run();
  CHECK(run.ends == std::vector<double>{5, 110, 215});
  CHECK(run.resident == 15);
}
