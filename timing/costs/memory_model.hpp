// Which guarantees hold for the accesses of a kernel, under what is granted (docs/model.md, "Memory").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "timing/assumptions/assumption.hpp"
#include "timing/costs/constant_reads.hpp"
#include "timing/costs/cost.hpp"
#include "timing/launch/launch.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

// What a launch touches of an object.
struct ObjectFootprint {
  int64_t lines = 0;     // at most
  bool written = false;  // by some access
};

// What a launch touches in all.
struct Footprint {
  std::vector<std::optional<ObjectFootprint>> objects;  // by Flow::objects; nothing where it is not known
  std::optional<int64_t> bytes;                         // whole lines; nothing if any access may be anywhere
  int64_t local_lines = 0;  // that a variable in local memory has, at least: one for each warp that has its own
  int64_t all_blocks = 1;
  int64_t blocks = 1;  // that run at a time, at least, while others wait; all if none has to
  int64_t warps = 1;   // of each of them
};

Footprint footprint(const ir::Kernel& kernel, const ir::Flow& flow, const Load& load, const Machine& machine);

// What an analysis may count as read once. Each is safe where the machine and what is granted allow it; which of them
// make a bound smaller depends on the kernel.
struct Keeping {
  bool constants = false;                   // for each multiprocessor
  bool data = false;                        // for the device
  std::vector<ir::ObjectId> by_warps = {};  // objects of which a warp waits for each line once; needs `data`
};

// How many accesses a guarantee helps.
struct ServedAccesses {
  int64_t all = 0, aligned = 0, spread = 0, stream = 0, kept = 0;

  friend bool operator==(const ServedAccesses&, const ServedAccesses&) = default;
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
  ServedAccesses accesses;
  bool counts_from_global = false;  // some access costs less because it is Access::in_global
  bool shares_lines = false;        // many warps ask for a line of some access, which is spread
  bool spreads_unseen = false;      // some access is spread of which it is not known how many warps share a line
};

// Whether the machine's caches can keep the data, or the constants.
bool keeps_data(const Footprint& footprint, const Machine& machine);
bool keeps_constants(const ir::Kernel& kernel, const Machine& machine);

// Lines of an object that the warps of a block touch at most which a bound follows, one at a time: those of one warp,
// or of all where warps wait for each other. Nothing if that is not known.
std::optional<int64_t> lines_followed(const ir::Kernel& kernel, const ir::Flow& flow, const Footprint& footprint,
                                      ir::ObjectId object);

// Those of what is granted that serve() looks at.
AssumptionSet granted_of_accesses(const AssumptionSet& granted);

// footprint: of the kernel that the code is made of. keeping: what `granted` and the machine allow.
ServedCode serve(const ConstantReads& code, const Footprint& footprint, const Machine& machine,
                 const AssumptionSet& granted, const Keeping& keeping);

// Whether code that serve() made of the same ConstantReads is the same.
bool served_alike(const ServedCode& a, const ServedCode& b);

}  // namespace warpspan::timing
