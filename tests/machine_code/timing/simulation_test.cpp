// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of single warps and of blocks whose cycles are worked out by hand.
#include "tests/machine_code/timing/simulation.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "frontend/sass/words/decode.hpp"
#include "tests/timing/toy_machine.hpp"

using namespace warpspan;
using namespace machine_code;

namespace {

constexpr int64_t latency = 100;  // of loads

TimedInstruction plain(int64_t stall, uint8_t waits = 0) {
  TimedInstruction made;
  made.stall = made.gap = stall;
  made.waits = waits;
  return made;
}

TimedInstruction load(int64_t stall, uint8_t scoreboard, int64_t cycles = latency) {
  TimedInstruction made = plain(stall);
  made.written = scoreboard;
  made.least = 1;
  made.most = made.hit = cycles;
  return made;
}

WarpTrace all_of(size_t count) {
  WarpTrace trace;
  for (uint32_t i = 0; i < count; ++i) trace.steps.push_back({i, 0, true, 0});
  return trace;
}

timing::Machine machine_of(int64_t schedulers) {
  timing::Machine machine = test::toy_machine();
  machine.schedulers = schedulers;
  return machine;
}

// Cycles of so many warps that execute all of the instructions, with the longest latencies.
int64_t cycles(std::vector<TimedInstruction> instructions, size_t warps = 1, const Permitted& permitted = {},
               const timing::Machine& machine = machine_of(4)) {
  TimedCode code;
  const WarpTrace trace = all_of(instructions.size());
  code.instructions = std::move(instructions);
  code.constant_read = load(1, 0);
  return simulate(code, std::vector<WarpTrace>(warps, trace), machine, permitted, {});
}

void keep_busy(TimedInstruction& instruction, size_t resource, int64_t cycles) {
  TimedOccupancy hold;
  hold.resource = resource;
  hold.first.fill(cycles * parts_of_cycle);
  instruction.occupancies.push_back(hold);
}

}  // namespace

TEST_CASE("time of machine code: stall counts add up") {
  CHECK(cycles({plain(4), plain(2), plain(1)}) == 4 + 2 + 1);
  CHECK(cycles({plain(15), plain(1)}) == 15 + 1);
}

TEST_CASE("time of machine code: one that waits for a scoreboard issues when all that it counts is over") {
  // Issues at 0, 1 and max(0 + 100, 1 + 100).
  CHECK(cycles({load(1, 0), load(1, 0), plain(1, 1)}) == 101 + 1);
  // The second one is over at 41, the first at 100.
  CHECK(cycles({load(1, 0), load(1, 0, 40), plain(1, 1)}) == 100 + 1);
  // Of two scoreboards only the one is waited for: 41.
  CHECK(cycles({load(1, 0), load(1, 1, 40), plain(1, 2), plain(1)}) == 100);
  CHECK(cycles({load(1, 0, 30), load(1, 1, 40), plain(1, 3)}) == 41 + 1);
}

TEST_CASE("time of machine code: a row of loads on one scoreboard is one latency, in rounds it is one each") {
  std::vector<TimedInstruction> row, rounds;
  for (int i = 0; i < 12; ++i) {
    row.push_back(load(2, 0));
    rounds.push_back(load(2, 0));
    rounds.push_back(plain(1, 1));
  }
  row.push_back(plain(1, 1));
  CHECK(cycles(row) == 11 * 2 + latency + 1);
  CHECK(cycles(rounds) == 11 * (latency + 1) + latency + 1);
}

TEST_CASE("time of machine code: DEPBAR waits until so many are left, whichever end first") {
  TimedInstruction barrier = plain(1);
  barrier.awaited = 0;
  barrier.outstanding = 1;
  // Loads over at 100, 51 and 22: one is left from 51 on.
  CHECK(cycles({load(1, 0), load(1, 0, 50), load(1, 0, 20), barrier, plain(60)}) == 51 + 1 + 1 + 47);
  barrier.outstanding = 3;
  CHECK(cycles({load(1, 0), load(1, 0, 50), load(1, 0, 20), barrier, plain(1)}) == 100);
}

TEST_CASE("time of machine code: a group of copies is over when all copies before it are, and groups end in turn") {
  const auto copy = [](int64_t cycles) {
    TimedInstruction made = plain(1);
    made.copies = true;
    made.most = cycles;
    return made;
  };
  TimedInstruction group = plain(1), barrier = plain(1);
  group.closes_group = true;
  group.written = 0;
  group.most = 10;
  barrier.awaited = 0;
  const auto with = [&](int64_t first, int64_t second, size_t outstanding) {
    barrier.outstanding = outstanding;
    return cycles({copy(first), group, copy(second), group, barrier, plain(200), plain(1)});
  };
  // The copies are over at 50 and 102, at 100 and 42; the group itself at 11 where it has nothing to wait for.
  CHECK(with(50, 100, 1) == 50 + 1 + 200 + 1);
  CHECK(with(50, 100, 0) == 102 + 1 + 200 + 1);
  CHECK(with(100, 40, 1) == 100 + 1 + 200 + 1);
  CHECK(with(100, 40, 0) == 100 + 1 + 200 + 1);
  CHECK(with(3, 3, 1) == 11 + 1 + 200 + 1);
}

TEST_CASE("time of machine code: what is copied holds units when it is written, or from the issue on") {
  TimedInstruction copy = plain(1), group = plain(1);
  copy.copies = true;
  copy.most = 100;
  keep_busy(copy, 1, 30);
  group.closes_group = true;
  group.written = 0;
  TimedCode code;
  code.instructions = {copy, group, plain(1, 1)};
  std::set<int64_t> seen;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Adversary adversary;
    adversary.seed = seed;
    seen.insert(simulate(code, {all_of(3)}, machine_of(4), {}, adversary));
  }
  CHECK(seen == std::set<int64_t>{100 + 1, 100 + 15 + 1, 100 + 30 + 1});
}

TEST_CASE("time of machine code: a sleep lasts up to twice as long as it asks for") {
  TimedCode code;
  TimedInstruction sleep = plain(1);
  sleep.gap = 3;
  sleep.sleeps = true;
  code.instructions = {sleep, plain(1)};
  WarpTrace trace = all_of(2);
  trace.steps.front().nanoseconds = 100;
  timing::Machine machine = machine_of(4);
  machine.clock_khz = 2'000'000;
  CHECK(simulate(code, {trace}, machine, {}, {}) == 3 + 400 + 1);
  trace.steps.front().nanoseconds = 5'000'000;  // a millisecond at most
  CHECK(simulate(code, {trace}, machine, {}, {}) == 3 + 4'000'000 + 1);
  trace.steps.front().is_executed = false;
  CHECK(simulate(code, {trace}, machine, {}, {}) == 3 + 1);
}

TEST_CASE("time of machine code: the last of many lines is there when those before it have been served") {
  TimedInstruction request = load(1, 0, 10);
  TimedOccupancy lines;
  lines.resource = 1;
  lines.of_lines = true;
  lines.first = lines.further = {40'000, 5'000, 1'500, 500};
  request.occupancies.push_back(lines);
  request.per_transaction = 3;
  TimedCode code;
  code.instructions = {request, plain(1, 1)};
  WarpTrace trace = all_of(2);
  trace.steps.front().pieces = 5;
  Permitted permitted;
  CHECK(simulate(code, {trace}, machine_of(4), permitted, {}) == 10 + 4 * 40 + 1);
  permitted.lines = timing::Guarantee::spread;
  CHECK(simulate(code, {trace}, machine_of(4), permitted, {}) == 10 + 4 * 3 + 1);
}

TEST_CASE("time of machine code: operands that have been read may be overwritten before the result is there") {
  TimedInstruction store = plain(1);
  store.read = 2;
  store.most = latency;
  store.until_read = 12;
  CHECK(cycles({store, plain(200, 4), plain(1)}) == 12 + 200 + 1);
  store.most = 5;  // no later than that
  CHECK(cycles({store, plain(200, 4), plain(1)}) == 5 + 200 + 1);
}

TEST_CASE("time of machine code: what a warp holds keeps its own next request and those of others waiting") {
  TimedInstruction request = load(1, 0, 50);
  keep_busy(request, 1, 30);
  CHECK(cycles({request, request, plain(1, 1)}) == 30 + 50 + 1);
  // Four warps, each on its scheduler: issues at 0, 30, 60, 90.
  CHECK(cycles({request, plain(1, 1)}, 4) == 90 + 50 + 1);
  // A scheduler issues one instruction a cycle.
  TimedInstruction add = plain(1);
  keep_busy(add, 0, 1);
  CHECK(cycles({add, add}, 4, {}, machine_of(4)) == 2);
  CHECK(cycles({add, add}, 4, {}, machine_of(1)) == 8);
}

TEST_CASE("time of machine code: lines are held by what is granted of them") {
  TimedInstruction request = load(1, 0, 10);
  TimedOccupancy lines;
  lines.resource = 1;
  lines.of_lines = true;
  lines.first = {40'000, 5'000, 1'500, 500};
  lines.further = {40'000, 5'000, 1'500, 500};
  request.occupancies.push_back(lines);
  const auto of = [&](timing::Guarantee guarantee) {
    Permitted permitted;
    permitted.lines = guarantee;
    return cycles({request, request, request, plain(1, 1)}, 1, permitted);
  };
  CHECK(of(timing::Guarantee::same_bank) == 80 + 10 + 1);
  // Or they wait after their issue, at 0, 1 and 3, each behind those before it.
  TimedCode code;
  code.instructions = {request, request, plain(1), request, plain(1, 1)};
  Adversary adversary;
  adversary.queues = true;
  const WarpTrace trace = all_of(code.instructions.size());
  CHECK(simulate(code, {trace}, machine_of(4), {}, adversary) == 80 + 10 + 1);
  CHECK(simulate(code, {trace}, machine_of(4), {}, {}) == 80 + 10 + 1);
  CHECK(simulate(code, {trace, trace}, machine_of(4), {}, adversary) == 5 * 40 + 10 + 1);
  CHECK(of(timing::Guarantee::spread) == 4 + 10 + 1);  // issues at 0, 1.5 and 3.5, each at the next whole cycle
  CHECK(of(timing::Guarantee::stream) == 2 + 10 + 1);
}

TEST_CASE("time of machine code: operands in constant memory") {
  TimedInstruction first = plain(1), second = plain(1);
  first.constants = {0x160};
  second.constants = {0x160, 0x168};
  // Two places of one line, each of which misses once in a block; or the line does.
  CHECK(cycles({first, second, first}) == 100 + 1 + 100 + 1 + 1);
  Permitted lines;
  lines.constants = Permitted::Constants::missed_lines;
  CHECK(cycles({first, second, first}, 1, lines) == 100 + 1 + 1 + 1);
  Permitted kept;
  kept.constants = Permitted::Constants::kept;
  CHECK(cycles({first, second, first}, 1, kept) == 100 + 1 + 1 + 1);
  // A block begins behind a branch.
  second.ends_block = true;
  CHECK(cycles({first, second, first}) == 100 + 1 + 100 + 1 + 100 + 1);
}

TEST_CASE("time of machine code: the last warp that comes to a barrier lets all go on") {
  TimedCode code;
  TimedInstruction barrier = plain(1);
  barrier.gap = 20;
  code.instructions = {load(1, 0), plain(1, 1), barrier, plain(5)};
  WarpTrace slow, fast;
  slow.steps = {{0, 0, true, 0}, {1, 0, true, 0}, {2, 0, true, 0}, {3, 0, true, 0}, {3, 0, true, 0}};
  fast.steps = {{2, 0, true, 0}, {3, 0, true, 0}};
  slow.waits = {{3, 0}};
  fast.waits = {{1, 0}};
  // The slow one comes at 101 and both go on at 121.
  CHECK(simulate(code, {fast, slow}, machine_of(4), {}, {}) == 121 + 5 + 1);
  CHECK(simulate(code, {slow, fast}, machine_of(4), {}, {}) == 121 + 5 + 1);
}

TEST_CASE("time of machine code: lines of code are fetched once by each scheduler, and by the multiprocessor") {
  timing::Machine machine = machine_of(2);
  machine.resources.push_back({"fetch", 1, timing::ResourceFigures::Sharing::multiprocessor, {}, "toy"});
  timing::FetchFigures fetch;
  fetch.line = 32;
  fetch.instructions = 2;
  using Sharing = timing::ResourceFigures::Sharing;
  fetch.caches.push_back({"L0", Sharing::scheduler, 1024, 10, {}, {}, "toy"});
  fetch.caches.push_back({"L1", Sharing::multiprocessor, 4096, 50, {{3, 50, false, 50}}, {}, "toy", 3});
  machine.fetch = fetch;
  const std::vector<TimedInstruction> code = {plain(1), plain(1), plain(1)};
  // Two lines: at 60 and, asked for at 62, at 122.
  CHECK(cycles(code, 1, {}, machine) == 62 + 60 + 1);
  // The other scheduler asks for what is on its way.
  CHECK(cycles(code, 2, {}, machine) == 62 + 60 + 1);
  Permitted permitted;
  permitted.code = Permitted::Code::at_hand;
  CHECK(cycles(code, 1, permitted, machine) == 3);
}

TEST_CASE("time of machine code: what words say, and the machine file") {
  const auto machine = timing::load_machine("ampere");
  const auto times = timing::load_times("ampere");
  REQUIRE(machine);
  REQUIRE(times);
  Program program;
  program.architecture = 80;
  // LDG.E R2, [R2.64]: 4 cycles, sets scoreboard 2; IADD3 R3, R2, c[0x0][0x168], RZ: waits for it.
  program.instructions = {sass::decode_word({0x0000000402027981, 0x000ea8000c1e1900}, 80, 0),
                          sass::decode_word({0x00005a0002037a10, 0x004fca0007ffe0ff}, 80, 16)};
  const auto code = timed_code(program, *machine);
  REQUIRE(code);
  const TimedInstruction& first = code->instructions[0];
  CHECK(first.stall == 4);
  CHECK(first.gap == 4);
  CHECK(first.written == 2);
  CHECK(first.most == times->at("load") + times->at("refresh"));
  CHECK(first.hit == machine->data_cache("L2")->hit);
  const TimedInstruction& second = code->instructions[1];
  CHECK(second.waits == 4);
  CHECK(second.stall == 5);
  CHECK(second.constants == std::vector<uint64_t>{0x168});
  CHECK_FALSE(second.written);
}
