// SPDX-License-Identifier: GPL-3.0-or-later
// For how long an instruction suspends a warp.
#pragma once

#include <cstdint>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"

namespace warpspan::timing {

// Cycles of a clock of so many kHz besides those of the instruction itself; 0 for one that does not suspend. PTX ISA
// 9.7.19.2: a sleep of t nanoseconds lasts from 0 to 2 t, and t is 1 millisecond at most.
struct SleepCycles {
  int64_t usual = 0;  // as long as was asked for
  int64_t worst = 0;
};
SleepCycles sleep_cycles(const ir::Kernel& kernel, const ir::Flow& flow, ir::InstructionId id, int64_t clock_khz);

// Whether a kernel has such an instruction.
bool has_sleeps(const ir::Kernel& kernel);

}  // namespace warpspan::timing
