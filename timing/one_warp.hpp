// The time one warp needs alone on a multiprocessor: in-order issue, dependencies through registers, units it keeps
// busy itself. The critical path of theory's pipeline model (docs/model.md, "Pipeline model"), and the single-warp
// figures of the Fermi thesis (docs/model.md, "One warp").
#pragma once

#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "support/checked.hpp"
#include "support/result.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

// Which of a machine's latencies to take. Only the worst case is a bound: it takes every latency at its largest, memory
// accesses in as many transactions as flow facts allow, and lets the warp wait for units it keeps busy itself.
enum class Case : uint8_t { best, average, worst };

// Cycles, on the worst way through the kernel, from the first issue to the last completion.
struct OneWarpTime {
  support::Integer best, average, worst;
};

// Errors: one for each operation kind that the machine has no figures for, at the first instruction of that kind; a
// kernel that never ends. Requires trip counts for all loops.
support::Result<support::Integer> one_warp_time(const ir::Kernel& kernel, const ir::Flow& flow, const Machine& machine,
                                                Case which);
support::Result<OneWarpTime> one_warp_time(const ir::Kernel& kernel, const ir::Flow& flow, const Machine& machine);

// What a pair of clock reads around a piece of code would show, both in one block: the cycles between their issues when
// the warp enters the block with nothing outstanding. A measurement's counterpart, not a bound.
struct ClockReading {
  uint32_t first_line = 0, second_line = 0;
  int64_t best = 0, average = 0, worst = 0;
};
// One entry for each clock read that has another one before it in its block, in order; none if figures are missing.
std::vector<ClockReading> clock_readings(const ir::Kernel& kernel, const ir::Flow& flow, const Machine& machine);

}  // namespace warpspan::timing
