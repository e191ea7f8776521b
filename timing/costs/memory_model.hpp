// Which guarantees hold for the accesses of a kernel, under what is granted (docs/memory-model.md).
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
#include "timing/machine/model.hpp"

namespace warpspan::timing {

// What an analysis may count as read once. Each is safe where the machine and what is granted allow it; which of them
// make a bound smaller depends on the kernel.
struct Keeping {
  bool constants = false;                   // for each multiprocessor
  bool data = false;                        // for the device
  std::vector<ir::ObjectId> by_warps = {};  // objects of which a warp waits for each line once; needs `data`

  friend bool operator==(const Keeping&, const Keeping&) = default;
};

// How many accesses an assumption helps, of those to memory behind the shared memory of the block.
struct AccessCounts {
  int64_t all = 0;
  std::array<int64_t, assumptions> helped = {};

  // One more. is_kept: by the caches of the device.
  void add(const AssumptionSet& helping, bool is_kept);
  int64_t of(Assumption assumption) const { return helped[static_cast<size_t>(assumption)]; }

  friend bool operator==(const AccessCounts&, const AccessCounts&) = default;
};

// What is read once, and from then on kept.
struct ReadOnce {
  int64_t constant_lines = 0;  // for each multiprocessor
  // By Machine::resources: ticks that one of these lines takes, and all kept lines of data together.
  std::vector<int64_t> constant_line, data;

  friend bool operator==(const ReadOnce&, const ReadOnce&) = default;
};

// Code whose accesses are served as far as is granted.
struct ServedCode {
  ir::Kernel kernel;  // as given, with operations of their own for accesses that are served differently
  ir::Flow flow;      // as given, with as many transactions as the granted alignment allows
  Services services;  // of that kernel
  ReadOnce once;
  AccessCounts accesses;
  AssumptionSet relied;             // assumptions about accesses that it rests on
  bool counts_from_global = false;  // some access costs less because it is Access::in_global
  bool shares_lines = false;        // many warps ask for a line of some access, which is spread
  bool spreads_unseen = false;      // some access is spread of which it is not known how many warps share a line
};

// footprint: of the kernel that the code is made of. keeping: what `granted` and the machine allow.
ServedCode serve(const ConstantReads& code, const Footprint& footprint, const Machine& machine,
                 const AssumptionSet& granted, const Keeping& keeping);

// Whether code that serve() made of the same ConstantReads is the same.
bool served_alike(const ServedCode& a, const ServedCode& b);

}  // namespace warpspan::timing
