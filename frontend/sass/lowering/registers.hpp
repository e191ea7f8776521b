// SPDX-License-Identifier: GPL-3.0-or-later
// Which registers an instruction reads and writes, with the width of each operand. RZ, URZ, PT and UPT are in no set.
#pragma once

#include <bitset>

#include "frontend/sass/words/instruction.hpp"
#include "ir/kernel.hpp"

namespace warpspan::sass {

struct RegisterSet {
  std::bitset<256> general;
  std::bitset<256> uniform;
  std::bitset<8> predicates;
  std::bitset<8> uniform_predicates;
  std::bitset<16> barriers;

  bool contains(RegisterClass register_class, unsigned number) const;
  void insert(RegisterClass register_class, unsigned first, unsigned count);
  bool any() const;
  void remove(const RegisterSet& other);
  // Every register there is: what an unknown instruction reads and writes.
  static RegisterSet all();

  RegisterSet& operator|=(const RegisterSet& other);
  friend bool operator==(const RegisterSet&, const RegisterSet&) = default;
};

// A superset of what can be read: guard, sources, addresses, descriptors. Everything if the instruction is not known.
RegisterSet reads(const Instruction& instruction);

// The general registers that its operands can be read from, one that several have as often as they have it. A known
// instruction.
ir::RegisterReads register_reads(const Instruction& instruction);

// A superset of what can be written, also under a guard. A CALL counts as writing nothing: that is the callee's
// business.
RegisterSet writes(const Instruction& instruction);

// What a function that CALL.ABS calls may change: all but what ptxas relies on, and has each function restore, from
// sm_75 to sm_121: R1, R2, R16 to R31, of the registers above the upper four of each eight, UR36 and above, B6 and
// above.
RegisterSet changed_by_call();

// What is written in any case if the guard is true: a subset of writes. None if the instruction is not known.
RegisterSet surely_writes(const Instruction& instruction);

}  // namespace warpspan::sass
