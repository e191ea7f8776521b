// SPDX-License-Identifier: GPL-3.0-or-later
// What a machine instruction takes and holds at most by a machine file, and what its control fields say.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "support/result.hpp"
#include "tests/machine_code/interpreter/program.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::machine_code {

// Times for which resources are held are counted in so many parts of a cycle, and rounded down.
inline constexpr int64_t parts_of_cycle = 1000;

// Parts of a cycle, by the lines that what serves them gives: those of other resources are all the same.
struct TimedOccupancy {
  size_t resource = 0;
  bool from_issue = false;  // as the issue slot is
  bool of_lines = false;
  bool from_end_to_end = false;                                // held whatever else serves the lines
  std::array<int64_t, timing::guarantees> first{}, further{};  // of the first transaction, of each that follows
};

struct TimedInstruction {
  int64_t stall = 1;                     // cycles before the next one
  int64_t gap = 1;                       // the same at most
  uint8_t waits = 0;                     // bit i: for scoreboard i to be 0
  std::optional<uint8_t> written, read;  // scoreboards that count it until then
  std::optional<uint8_t> awaited;        // a scoreboard that it waits for until at most so many are outstanding
  size_t outstanding = 0;
  // Cycles until the result is there, and until operands are read.
  int64_t least = 1, most = 1, per_transaction = 0, until_read = 1;
  int64_t hit = 1;  // the most where caches have what it loads
  int64_t translation = 0, hit_translation = 0, refresh = 0, hit_refresh = 0;  // of `most` and `hit`: waits for these
  std::vector<TimedOccupancy> occupancies;
  std::vector<uint64_t> constants;  // places in constant memory that it reads as operands, or by a load
  bool loads_constant = false;      // they are what its result is
  bool of_launch = false;           // all constants that it loads are what the launch passes
  int64_t warm = 1;                 // the most then, where the L2 cache has them and TLBs their translation
  bool ends_block = false;
  bool copies = false;        // goes on while the warp does: what it has read is written to shared memory later
  bool closes_group = false;  // its result is there when all copies are over that the warp has begun before
  bool sleeps = false;
};

struct TimedCode {
  std::vector<TimedInstruction> instructions;  // by number
  TimedInstruction constant_read;              // that a missing operand is
  TimedInstruction launch_read;                // the same of what the launch passes
};

// few: additions, minima, maxima, INC and AND of 32 bits and additions of 64 on global memory hold the network alone,
// for as long as the machine file has it of those of few lines, if it does. Errors: an instruction that the machine
// file has no figures for.
support::Result<TimedCode> timed_code(const Program& program, const timing::Machine& machine, bool few = false);

}  // namespace warpspan::machine_code
