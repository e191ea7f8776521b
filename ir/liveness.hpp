// SPDX-License-Identifier: GPL-3.0-or-later
// Which registers contain a value that may still be read: how wide a kernel is at its widest point.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/kernel.hpp"

namespace warpspan::ir {

// At most so many words are counted: a kernel that is wider is as wide as this at least.
inline constexpr int64_t widest_followed = 4096;

// A point where most words of registers are live.
struct WidestPoint {
  InstructionId instruction = 0;  // what it reads and the values it leaves alive are counted, whichever needs more
  int64_t words = 0;              // of 32 bits
};

// words: of each register, 0 for those that are not to be counted; besides: by operation, what its instructions need
// for themselves. A register is live at a point if control can get from there to a read of it past no write but guarded
// ones; the results of an instruction are live behind it even if nothing reads them. A register that nothing writes is
// never live. In a body that calls share, what is live over a call counts too, for the call where it is most. At a call
// that stays one (Operation::stays_call) it counts twice, and not in the body. Ties: the first. Requires at least one
// instruction.
WidestPoint widest_point(const Kernel& kernel, const std::vector<uint8_t>& words, const std::vector<uint8_t>& besides);

// Words of 32 bits that each register's value takes in a machine's registers: 1 up to 32 bits, else its bits divided by
// 32; 0 for predicates and flags, which are stored elsewhere. A register of unknown width counts as one word.
std::vector<uint8_t> register_words(const Kernel& kernel);

}  // namespace warpspan::ir
