// SPDX-License-Identifier: GPL-3.0-or-later
// A thread of a warp that sleeps for less than others may be woken with them. Each sleeps for no more than twice the
// longest time that one of them asks for, so the warp does.
#include "timing/costs/sleep.hpp"

#include <algorithm>

namespace warpspan::timing {

namespace {

constexpr int64_t longest_sleep = 1'000'000;  // nanoseconds that can be asked for

// Of a clock of up to 10^9 kHz.
int64_t cycles_of(int64_t nanoseconds, int64_t clock_khz) {
  constexpr int64_t scale = 1'000'000;  // a clock of 1 kHz has a cycle in so many nanoseconds
  return (nanoseconds * clock_khz + scale - 1) / scale;
}

}  // namespace

SleepCycles sleep_cycles(const ir::Kernel& kernel, const ir::Flow& flow, ir::InstructionId id, int64_t clock_khz) {
  if (kernel.operation(kernel.instructions[id]).kind != ir::OperationKind::sleep) return {};
  const auto at =
      std::lower_bound(flow.sleeps.begin(), flow.sleeps.end(), id,
                       [](const ir::Sleep& sleep, ir::InstructionId other) { return sleep.instruction < other; });
  const bool is_known = at != flow.sleeps.end() && at->instruction == id;
  const int64_t asked = is_known ? std::min(at->nanoseconds, longest_sleep) : longest_sleep;
  return {cycles_of(asked, clock_khz), cycles_of(2 * asked, clock_khz)};
}

bool has_sleeps(const ir::Kernel& kernel) {
  return std::any_of(kernel.instructions.begin(), kernel.instructions.end(), [&](const ir::Instruction& instruction) {
    return kernel.operation(instruction).kind == ir::OperationKind::sleep;
  });
}

}  // namespace warpspan::timing
