// SPDX-License-Identifier: GPL-3.0-or-later
// Where machine code may read parameters and constants that PTX has in registers or as immediates.
//
// PTX loads a parameter once into a register. The assembler leaves it in constant memory: an instruction that
// uses it has it as an operand there, or loads it again just before, in loops too. Such a read misses the constant
// caches whenever they no longer contain it; and what an instruction cannot have as an operand is moved to a register.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

// The code of every kernel begins with so many reads that no PTX instruction stands for: where the stack is and how
// memory is addressed.
inline constexpr int64_t reads_at_start = 2;

struct ConstantReads {
  // The same blocks, in which every read of constant memory that machine code may do in addition is a load.param, just
  // before the instruction that waits for it, and instructions have the moves of what is constant.
  ir::Kernel kernel;
  ir::Flow flow;                             // of that kernel: the facts given, and the transactions of the loads
  uint32_t load = 0;                         // the operation of the loads that were put in
  ir::RegisterId awaited = ir::no_register;  // what they write, and what waits for them reads
  std::vector<ir::InstructionId> origins;  // by instruction of that kernel: the one given that it is, or stands before
  // Persistence of what the constant caches have read saves reads.
  bool persistence_matters = false;
  bool integers = false;  // as given
  // By instruction of that kernel: it is a read of constants, of machine code, and of what the launch passes alone.
  std::vector<bool> of_launch;
  std::string assumption;  // the sentence that a result for this kernel rests on
};

// Whether the assembler for such a machine puts integers that fit no operand into constant memory: ptxas 12.4 to 13.5
// do so below compute capability 9.0, from there on they build them in registers.
bool integers_in_memory(const Machine& machine);

// Whether it reads a constant that stands in no instruction of its own. integers: integers_in_memory.
bool needs_constant(const ir::Operation& operation, bool integers);

// keeps_constants: what was read once is read without delay from then on. The flow facts are those of the kernel.
ConstantReads with_constant_reads(const ir::Kernel& kernel, const ir::Flow& flow, bool keeps_constants,
                                  bool integers = true);

}  // namespace warpspan::timing
