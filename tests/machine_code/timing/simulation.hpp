// SPDX-License-Identifier: GPL-3.0-or-later
// The cycles of a block of warps that executes machine code on one multiprocessor of a machine file's: whatever the
// adversary chooses, a run that the model of docs/model.md permits. So each run is at most what a bound may be.
//
// The machine. A warp issues its instructions in the order in which it was seen to execute them (interpreter.hpp). Next
// is issued no earlier than the stall count says, when all scoreboards are 0 that the instruction waits for, and when
// what it holds by the machine file is free: issue slot, units, ports, what serves lines. A scoreboard counts: each
// instruction that sets it adds one, and takes it away when its result is there, or when its operands are read. Nothing
// but scoreboards and stall counts keeps a warp from issuing: no register is looked at. Warps belong to schedulers in
// turn; a scheduler issues whenever one of its warps can. Where warps wait for each other at a barrier, all go on when
// the last has come. Operands in constant memory and lines of code that miss keep the warp that needs them.
//
// A copy by threads (LDGSTS) goes on while its warp does: what it has read is written to shared memory at a time of its
// own, for which it holds units as any request does. LDGDEPBAR counts on its scoreboard until all copies of the warp
// before it have been written.
//
// The adversary chooses, for each execution of an instruction, any latency between the best and the worst of the
// machine file; for branches, barriers, fences and sleeps how much longer than the stall count they take, up to the
// file's, and up to twice as long as is asked for; which warp issues; whether a line of code is asked for at once, or
// when nothing else keeps the instruction from issuing; whether a request waits for what serves lines before its issue,
// or after it behind all issued before; whether a copy holds units when it issues, or when it is written, or part of
// the time each.
//
// Left out, each of which only makes a run shorter than it may be: requests that overtake those of other warps, and
// that wait for units after their issue; lines of code that are replaced; lines of code on the way in the network and
// in memory; barriers and fences that wait for what is outstanding; indexed constants; other multiprocessors; the start
// of a block. What an instruction that no lane executes asks for is nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/machine_code/interpreter/interpreter.hpp"
#include "tests/machine_code/timing/figures.hpp"
#include "timing/assumptions/assumption.hpp"

namespace warpspan::machine_code {

// What a run does not do because something is assumed; each makes runs shorter than the one before it.
struct Permitted {
  enum class Constants : uint8_t {
    missed,        // what a basic block reads first may miss all caches
    missed_lines,  // the same, but it brings its whole line, as both halves of a pointer
    kept,          // a line misses once
  };
  enum class Code : uint8_t { cold, shared, at_hand };
  Constants constants = Constants::missed;
  bool parameters = false;  // what the launch passes misses no further than to the L2 cache
  Code code = Code::cold;
  timing::Guarantee lines = timing::Guarantee::same_bank;
  bool caches_data = false;  // memory is not asked
  bool pages_once = false;   // waits for a translation end when the first one of its page has: all data lie in one
  bool refreshes_together = false;  // accesses wait for refreshes in cycles of one sequence of these

  friend bool operator==(const Permitted&, const Permitted&) = default;
};
Permitted permitted(const timing::AssumptionSet& assumed);

struct Adversary {
  enum class Latencies : uint8_t { longest, any, extremes, shortest };
  enum class Policy : uint8_t { any, oldest, youngest, least_advanced, most_advanced };
  uint64_t seed = 0;
  Latencies latencies = Latencies::longest;
  Policy policy = Policy::any;
  bool queues = false;                // requests wait for what serves lines after their issue, in turn
  bool fetches_late = false;          // a line of code is asked for when nothing else keeps the warp from issuing
  bool reads_constants_late = false;  // the same of operands in constant memory
};

// Cycles from the first issue to the last completion. block: traces of its warps.
int64_t simulate(const TimedCode& code, const std::vector<WarpTrace>& block, const timing::Machine& machine,
                 const Permitted& permitted, const Adversary& adversary);

}  // namespace warpspan::machine_code
