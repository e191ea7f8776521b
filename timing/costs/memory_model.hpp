// SPDX-License-Identifier: GPL-3.0-or-later
// The memory service of the accesses of a kernel, under what is assumed (docs/memory-model.md).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "timing/assumptions/assumption.hpp"
#include "timing/costs/constant_reads.hpp"
#include "timing/costs/cost.hpp"
#include "timing/costs/footprint.hpp"
#include "timing/costs/reuse.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

// What an analysis may count as persistent in caches, missed only once. Each is safe where the machine and what is
// assumed allow it; which of them make a bound smaller depends on the kernel.
struct Persistence {
  bool constants = false;                   // for each multiprocessor
  bool data = false;                        // for the device
  std::vector<ir::ObjectId> by_warps = {};  // objects of which a warp waits for each line once; needs `data`
  LineFetches fetches = {};                 // where that rests on `recent`; empty: each line of all objects once
  bool tables = false;                      // constants for the device, those at an index too: table_lines
  bool local_by_warps = false;              // as an object in by_warps: local memory
  bool parameters = false;  // what the launch passes, of machine code: in the L2 cache before anybody reads it

  // How often each line of an object, at most; 0: as accesses ask for it.
  int64_t fetches_of(ir::ObjectId object) const {
    return !data ? 0 : fetches.empty() ? 1 : fetches.objects[object].times;
  }
  int64_t fetches_of_local() const { return !data ? 0 : fetches.empty() ? 1 : fetches.local.times; }

  friend bool operator==(const Persistence&, const Persistence&) = default;
};

// How many accesses an assumption helps, of those to memory behind the shared memory of the block.
struct AccessCounts {
  int64_t all = 0;
  std::array<int64_t, assumptions> helped = {};

  void add(const AssumptionSet& helping);
  int64_t of(Assumption assumption) const { return helped[static_cast<size_t>(assumption)]; }

  friend bool operator==(const AccessCounts&, const AccessCounts&) = default;
};

// Misses of lines that are cached from then on.
struct FirstMisses {
  int64_t constant_lines = 0;  // for each multiprocessor
  int64_t launch_lines = 0;    // those of them that are in the L2 cache at first, Persistence::parameters
  int64_t table_lines = 0;     // for the device, in addition
  int64_t lines_behind = 0;    // lines_cached_behind, for each multiprocessor that has them from the L2 cache
  // By Machine::resources: ticks that one of these lines takes, and the sum over all persistent lines of data.
  std::vector<int64_t> constant_line, data;

  friend bool operator==(const FirstMisses&, const FirstMisses&) = default;
};

// Whether LineTimes::once is counted with: with `spread`, for machine code. Loads that PTX has in flight may wait for
// each other in machine code, as ptxas keeps fewer in flight: an H100 took longer than bounds of PTX that were counted
// so.
bool serves_lines_once(const ir::Kernel& kernel, const AssumptionSet& assumed);

// The most cycles until a read of constants that the L2 cache has, and the TLBs the translation of, is there. The
// machine has both caches.
int64_t hit_of_parameters(const Machine& machine);

// Code, and how memory serves its accesses under what is assumed.
struct MemoryService {
  ir::Kernel kernel;  // as given, with operations of their own for accesses with different services
  ir::Flow flow;      // as given, with as many transactions as the assumed alignment allows
  Services services;  // of that kernel
  FirstMisses first_misses;
  AccessCounts accesses;
  AssumptionSet relied;             // assumptions about accesses that it rests on
  bool counts_from_global = false;  // some access costs less because it is Access::in_global
  bool shares_lines = false;        // many warps ask for a line of some access, which is spread
  bool serves_once = false;         // first_misses rest on what memory does with different lines (LineTimes::once)
  bool reads_parameters = false;    // some read of constants costs less because of Persistence::parameters
  bool spreads_unseen = false;      // some access is spread of which it is not known how many warps share a line
};

// footprint: of the kernel that the code is made of. persistence: what `assumed` and the machine allow.
MemoryService memory_service(const ConstantReads& code, const Footprint& footprint, const Machine& machine,
                             const AssumptionSet& assumed, const Persistence& persistence);

// Whether code that memory_service() made of the same ConstantReads is the same.
bool same_service(const MemoryService& a, const MemoryService& b);

}  // namespace warpspan::timing
