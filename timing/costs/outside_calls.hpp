// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of functions without a body, of which the user says how long they take at most (ir::CallTime).
//
// Assumption. One call of a warp, of all its lanes that come to it at the same time, lasts at most C cycles whatever
// else runs, from when the warp's earlier requests are done until all that the call asks for is done; where lanes come
// one after another, each is a call. It ends for those lanes at the same time, and delays no warp after its end.
//
// Theorem. Let a call be an instruction that waits for all that its warp has begun, takes C cycles in which its warp
// does nothing else, and occupies for C cycles a resource, `calls_resource`, of which the whole device has one server.
// Then the theorems of solver/makespan/grid_bound.cpp are true for kernels that have such calls.
//
// Proof. Analyse warps as there, and take the times in which some other warp is in a call. In all others a request or
// an instruction has the service that it has without calls: a latency or an occupancy of n cycles has at most n cycles
// of them, whatever calls lie between. So a cycle before the end is one of the analysed warps' own paths, with their
// calls; or one in which they wait for a resource whose servers others occupy; or one in which another warp is in a
// call. Those of the last kind are cycles in which the one server of `calls_resource` is occupied: no more than the sum
// of C over the calls of other warps on the device, at whichever multiprocessor. QED
//
// Caches may hold anything after a call. So nothing persists beyond one: neither constants nor data nor code, unless
// other warps are assumed to leave a warp's code alone (Assumption::keeps_code), and then not beyond its own calls:
// AssumptionSet::over_calls.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/kernel.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

inline constexpr const char* calls_resource = "calls";

// The longest time that a call may be stated to take, in cycles: some minutes.
inline constexpr int64_t longest_call = int64_t{1} << 40;

// Cycles of a clock of so many kHz, rounded up; nothing if they are more than longest_call.
std::optional<int64_t> cycles_of(const ir::CallTime& time, int64_t clock_khz);

// The machine with the resource that calls occupy, and whether it has it.
Machine with_calls(Machine machine);
bool has_calls(const Machine& machine);

// Adds what the call takes to the figures of the call instruction. Requires with_calls; longest_call is the most.
void add_call(OperationFigures& figures, const ir::CallTime& time, const Machine& machine);

}  // namespace warpspan::timing
