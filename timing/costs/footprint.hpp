// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch touches of memory, and which caches are large enough for it (docs/memory-model.md).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "timing/costs/constant_reads.hpp"
#include "timing/launch/launch.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

// What a launch touches of an object.
struct ObjectFootprint {
  int64_t lines = 0;     // at most
  bool written = false;  // by some access
  int64_t pages = 0;     // of the machine's smallest, at most; as many as lines where it states none
};

// What a launch touches in all.
struct Footprint {
  std::vector<std::optional<ObjectFootprint>> objects;  // by Flow::objects; nothing where it is not known
  std::optional<int64_t> bytes;                         // whole lines; nothing if any access may be anywhere
  std::optional<int64_t> pages;                         // the same, of objects, local memory, code and constants
  int64_t constant_pages = 0;                           // those of them that constants and parameters may lie on
  int64_t launch_pages = 0;  // and on which nothing but what the launch passes lies, of machine code
  std::optional<ObjectFootprint> local =
      ObjectFootprint{};            // local memory of all threads; nothing where it is not known
  int64_t local_lines_of_warp = 0;  // of that
  int64_t local_pages_of_warp = 0;  // on which its frame may lie
  // Different ones that local memory has, at least: for each warp that has its own one for each word of its frame, and
  // one where the frame is not known.
  int64_t local_lines = 0;
  int64_t all_blocks = 1;
  int64_t blocks = 1;   // that run at a time, at least, while others wait; all if none has to
  int64_t warps = 1;    // of each of them
  int64_t cluster = 1;  // blocks that start together, and may wait for each other
};

Footprint footprint(const ir::Kernel& kernel, const ir::Flow& flow, const Load& load, const Machine& machine);

// Lines of constants and parameters that are read, at most: each read of a constant has one line, and all of them lie
// among those of parameters, of the launch, and of constants of their own. Integers and doubles lie side by side; what
// the assembler makes of one of them where it unrolls a loop is in a line with it. code: whose kernel it is, if reads
// were put in that PTX does not show.
int64_t constant_lines(const ir::Kernel& kernel, int64_t line, bool integers, const ConstantReads* code = nullptr);
// Those of them that what the launch passes lies in, where machine code tells.
int64_t launch_lines(const ir::Kernel& kernel, int64_t line);

// Whether the data, or the constants, persist in the machine's caches: they fit the part of them that it states.
bool data_fits_cache(const Footprint& footprint, const Machine& machine);
// A kernel that touches more than the guarantees reach needs more translations of addresses than are cached.
bool within_reach(const Footprint& footprint, const Machine& machine);
// Whether it touches no more pages than the machine states that it keeps translations of.
bool keeps_pages(const Footprint& footprint, const Machine& machine);
bool constants_fit_cache(const ir::Kernel& kernel, const Machine& machine);

// Lines of memory from which a kernel reads constants and parameters, where some of them are at an index, all are known
// and the L2 cache has room for them. Else nothing.
std::optional<int64_t> table_lines(const ir::Kernel& kernel, const Machine& machine);
// Lines of the cache of constants that the kernel may read, table_lines being known, where the cache behind it keeps
// them beside the code; nothing where it is not known to.
std::optional<int64_t> lines_cached_behind(const ir::Kernel& kernel, const Machine& machine);

// The same of local memory, and pages of it.
int64_t local_pages_analysed(const ir::Kernel& kernel, const Footprint& footprint);
int64_t local_lines_analysed(const ir::Kernel& kernel, const Footprint& footprint);

// Lines of an object that the analysed warps of a block touch at most, one warp at a time: those of one warp, or where
// warps wait for each other of all in its cluster. Nothing if that is not known.
std::optional<int64_t> lines_analysed(const ir::Kernel& kernel, const ir::Flow& flow, const Footprint& footprint,
                                      ir::ObjectId object);

}  // namespace warpspan::timing
