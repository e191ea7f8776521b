// SPDX-License-Identifier: GPL-3.0-or-later
// Parts on the way to memory as one, where each multiprocessor that waits has its share of them
// (Assumption::fair_share; docs/memory-model.md, Fair shares).
#pragma once

#include <cstdint>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "timing/costs/cost.hpp"
#include "timing/launch/launch.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

// Whether the theorem of fair_share.cpp is for such a launch of a kernel, of which no loop waits for other warps.
bool may_share_fairly(const ir::Kernel& kernel, const Load& load, const Machine& machine);

// Which parts count as one: those of a multiprocessor, and what is behind it, up to memory or with it. What is not
// among them counts for all requests of the device, which is less where some multiprocessors have more blocks than
// others.
enum class Joined : uint8_t { none, of_multiprocessor, with_network, with_memory };

// Changes costs_of(kernel, ...) so that an instruction occupies one of these parts that its requests pass, for as long
// as the slowest of them is occupied, of those of the device for each multiprocessor that the launch has blocks for;
// and adds to latencies what the theorem adds for the requests of a warp itself. Costs::shares is there then; if the
// theorem is not for these costs, they stay as they are.
void charge_slowest_part(Costs& costs, const ir::Kernel& kernel, const ir::Flow& flow, const Machine& machine,
                         Joined joined, int64_t multiprocessors);

// Cycles to add to the path of a warp for its own requests, those that are not on it too. occupied: of a warp, by
// Machine::resources, in ticks of `costs`.
support::Integer own_requests(const std::vector<support::Integer>& occupied, const Costs& costs,
                              const Machine& machine);

}  // namespace warpspan::timing
