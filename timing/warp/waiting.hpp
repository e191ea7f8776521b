// SPDX-License-Identifier: GPL-3.0-or-later
// Loops in which a warp waits: for others, as long as a user states (ir::Loop::longest_wait), or until a counter of
// cycles ends them (ir::Loop::clock).
#pragma once

#include <map>
#include <string_view>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "support/result.hpp"
#include "timing/costs/costed_kernel.hpp"

namespace warpspan::timing {

// Whether there are loops with Loop::longest_wait.
bool has_given_waits(const ir::Flow& flow);

// The flow with a trip count for each such loop: how often it can run on the machine in that time; and with the
// questions before it. Errors: a time in
// which it cannot run as often as it is proven to.
support::Result<ir::Flow> with_wait_trip_counts(const ir::Kernel& kernel, ir::Flow flow, const Machine& machine);

// The flow in which a loop that waits counts as its wait where it does nothing but look (Loop::wait_cycles),
// with a few iterations for what it leaves behind; waiting.cpp has the theorems. Others stay as they are. flow:
// with_wait_trip_counts.
ir::Flow with_waits(const CostedKernel& costed);

// What counts each time a block runs, in cycles: of the header of a loop with Loop::wait_cycles a share, so that all of
// these together are no less; of a question before such a loop all of them.
struct BlockWait {
  ir::LoopId loop = ir::no_loop;  // whose wait it is
  int64_t cycles = 0;
};
std::map<ir::BlockId, BlockWait> block_waits(const ir::Flow& flow);

// Resources of one server that a warp occupies for as long as it is in such a loop: one for the warps of its
// multiprocessor, one for those of the device.
inline constexpr std::string_view waits_resource = "waits";
inline constexpr std::string_view device_waits_resource = "device_waits";
bool has_waits(const ir::Flow& flow);
// Adds them to a machine, and to the costs of a kernel on it.
void add_wait_resources(Machine& machine, Costs& costs);

// An error for each instruction that may suspend its warp for as long as the system likes, and stands in no loop that
// counts as its wait. flow: with_waits.
support::Diagnostics endless_suspensions(const ir::Kernel& kernel, const ir::Flow& flow);

}  // namespace warpspan::timing
