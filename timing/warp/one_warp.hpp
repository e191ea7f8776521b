// SPDX-License-Identifier: GPL-3.0-or-later
// The time one warp needs alone on a multiprocessor: in-order issue, dependencies through registers, units it keeps
// busy itself. The critical path of theory's pipeline model (docs/model.md, "Pipeline model"), and the single-warp
// figures of the Fermi thesis (docs/model.md, "One warp").
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "support/result.hpp"
#include "timing/costs/costed_kernel.hpp"
#include "timing/warp/wait_record.hpp"

namespace warpspan::timing {

// Which of a machine's latencies to take. Only the worst case is a bound: it takes every latency at its largest, memory
// accesses in as many transactions as flow facts allow, and lets the warp wait for units it keeps busy itself.
enum class Case : uint8_t { best, average, worst };

// In which order the machine instructions of a basic block are executed: in that of the kernel, as those of machine
// code are, or in any that an assembler may choose for PTX.
enum class Order : uint8_t { given, any };

// Cycles on the worst-case path through the kernel, from the first issue to the last completion. Requires trip counts
// for all loops. order: of the worst case. Errors: a kernel that never ends, or takes more than 64 bits of cycles.
support::Result<int64_t> one_warp_time(const CostedKernel& costed, Case which, Order order = Order::given);

// What the warp waits for in the worst case. cycles: one_warp_time of it, which the waits add up to. Nothing if a count
// exceeds 64 bits, if it takes more memory than this is worth, or if loops have no period when waits of equal length
// are distinguished by their causes.
std::optional<WarpWaits> worst_case_waits(const CostedKernel& costed, Order order, int64_t cycles);

// What a pair of clock reads around a segment of code would show, both in one block: the cycles between their issues
// when the warp enters the block with nothing outstanding. A measurement's counterpart, not a bound.
struct ClockReading {
  uint32_t first_line = 0, second_line = 0;
  int64_t best = 0, average = 0, worst = 0;
};
// One entry for each clock read that has another one before it in its block, in order.
std::vector<ClockReading> clock_readings(const CostedKernel& costed);

}  // namespace warpspan::timing
