// SPDX-License-Identifier: GPL-3.0-or-later
// What the operations of a kernel cost on a machine; whatever comes after it asks for nothing but Costs.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/kernel.hpp"
#include "ir/sizes.hpp"
#include "support/result.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

// What few lines many warps ask for comes from few places, whatever the hash: 64 KiB are two lines for each of the 240
// pseudo channels of the largest memory.
inline constexpr int64_t bytes_that_spread = 64 << 10;
inline constexpr int64_t lines_that_spread = bytes_that_spread / ir::memory_line_bytes;

// Stores to so many lines come as fast as they are made, wherever the lines lie: docs/memory-model.md.
inline constexpr int64_t lines_of_fast_stores = 2048;

// So many multiprocessors may all ask for one line all the time: the port of each takes 16 bytes a cycle at most, and
// one slice was measured to serve 61 on V100, those that have one line 413 on an H100 (docs/machines.md,
// docs/measured.md).
inline constexpr int64_t multiprocessors_at_one_line = 3;

// How memory and network serve the lines of an operation.
struct Service {
  Guarantee memory = Guarantee::same_bank;
  Guarantee network = Guarantee::same_bank;
  int64_t memory_share = 1;        // of so many lines that it asks for, memory is asked for one
  bool cached_by_device = false;   // the L2 cache has it: memory is asked once, not for each access
  bool in_shared = false;          // a generic address of shared memory: what lies behind is not asked
  bool in_global = false;          // of an atomic: a generic address of global memory
  bool cached_nearby = false;      // the constant cache of the multiprocessor has it: neither is asked
  bool places_nearby = false;      // the same, of several places: each takes the port for as long as a line does
  int64_t place = 0;               // or for so many cycles, if it is more: DataCache::place
  bool as_operand = false;         // it is read as an operand of another instruction (DataCache::as_operands)
  std::optional<int64_t> hit;      // cycles after which it is there, of the cache that has it
  bool may_leave_block = false;    // it may be an access to the shared memory of another block of the cluster
  int64_t lanes = ir::warp_lanes;  // of a bulk copy: for how many threads of a warp at most
  bool pages_once = false;         // waits for translations are counted once for each page (waits_once.hpp)
  bool refresh_by_time = false;    // waits for refreshes are counted by the time of the launch (waits_once.hpp)
  // Of `fine_ticks`, what a line takes of the network at least, because many warps ask for the same; 0: as guaranteed.
  int64_t shared_ticks = 0;
  // The same, because some warps may load a line that others store to, or all store to not many lines; such lines are
  // in the L2 cache.
  int64_t contended_ticks = 0;

  friend auto operator<=>(const Service&, const Service&) = default;
};

struct Services {
  std::vector<Service> operations;  // by Kernel::operations; empty: nothing is assumed of any
  bool fractions = false;           // what serves lines is occupied for parts of a cycle

  friend bool operator==(const Services&, const Services&) = default;
};

// Parts that all multiprocessors use, of whose time each has its share (fair_share.hpp).
struct FairShares {
  size_t port = 0;             // index into Machine::resources: what stands for them
  size_t units = 0;            // the same of what comes before it, and is not occupied by what goes on to the port
  std::vector<int64_t> times;  // by Machine::resources: how often a line lets one be occupied; 0: it is none of them
  int64_t before = 0;          // cycles that a request may wait for others besides what these occupy
};

struct Costs {
  std::vector<OperationFigures> operations;  // by Kernel::operations; what they occupy of a resource, in its ticks
  std::vector<int64_t> ticks;                // by Machine::resources: of a cycle, at least 1
  std::vector<int64_t> longest_steps;        // by Machine::resources, in cycles: wait_for_earlier
  std::optional<FairShares> shares;          // charge_slowest_part
  std::optional<int64_t> operands_read;      // Machine::operand_read, in cycles
  std::optional<size_t> calls;               // calls_resource, if there is one

  const OperationFigures& of(const ir::Instruction& instruction) const { return operations[instruction.operation]; }
  // For how long an instruction occupies a resource, in whole cycles.
  support::Integer occupied_cycles(const Occupancy& occupancy, int64_t transactions) const;
};

// The costs of PTX: what the machine file states of the machine code that each operation becomes; those of machine
// code: what it states of one machine instruction, and what control fields do (ir::MachineIssue). Errors: one for each
// operation that the machine has no figures for, at its first instruction; unknown is never zero.
support::Result<Costs> costs_of(const ir::Kernel& kernel, const Machine& machine, const Services& services = {});

// An error for each operation whose figures are not right for whatever sampler a texture has, at its first instruction.
support::Diagnostics unknown_samplers(const ir::Kernel& kernel, const Costs& costs);

// Ticks of a cycle, where there are fractions: the fastest memories take a tenth of a cycle for a line, which is
// rounded up by less than 1 %.
inline constexpr int64_t fine_ticks = 1000;

// The figures of an operation with ticks instead of lines, rounded up; nothing if the machine has none. Each further
// transaction of an instruction adds to its latency what the file states or, if that is more, for how long it
// occupies such a resource: requests pass the servers one after another, and of n requests that pass several in a row
// the last is through after the steps of the first and n - 1 further steps, each at one of the servers. Waiting does
// not begin when a line has just been finished, so the latency has the time of one line more for each server. ticks: by
// Machine::resources.
std::optional<OperationFigures> figures_with_service(const ir::Operation& operation, const Service& service,
                                                     const Machine& machine, const std::vector<int64_t>& ticks);
// Adds to the latency of an operation that asks for lines what an earlier request of its warp, of any operation of
// these costs, may take longer at the servers before the last one (the theorem of cost.cpp); and FairShares::before.
void wait_for_earlier(OperationFigures& figures, const Costs& costs, const Machine& machine);

// The given figures with ticks instead of lines, of an access of so many bytes by each lane, 0 if it is none; hits left
// out.
OperationFigures in_ticks(OperationFigures figures, int64_t bytes, const Service& service, const Machine& machine,
                          const std::vector<int64_t>& ticks);

// Ticks of a resource that one line takes, which it serves with such a guarantee; rounded up.
int64_t ticks_of_line(const ResourceFigures& resource, Guarantee guarantee, int64_t ticks);

// Those of the whole kernel, each instruction once.
support::Integer machine_instructions(const ir::Kernel& kernel, const Costs& costs);

// Cycles until the result is there, every latency at its largest. transactions: as for occupied_cycles.
int64_t worst_latency(const OperationFigures& cost, int64_t transactions);

// The operations, in words, whose costs were not measured; ascending. costs: of these operations, and of others behind
// them maybe.
std::vector<std::string> operations_with_assumed_costs(const ir::Kernel& kernel, const Costs& costs);

}  // namespace warpspan::timing
