// SPDX-License-Identifier: GPL-3.0-or-later
// What 'warpspan occupancy' has found: the one object that both the text and the JSON are made from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/kernel.hpp"
#include "support/diagnostic.hpp"
#include "timing/launch/residency.hpp"

namespace warpspan::app {

// What would have to be different for more resident warps; what is not given may stay as it is.
struct OccupancyStep {
  std::optional<int64_t> registers, shared_bytes, threads;  // at most of a thread, at most of a block; of a block
  int64_t blocks = 0;                                       // at least
  int64_t warps = 0;                                        // of all blocks
};

// Blocks of another size.
struct BlockSize {
  int64_t threads = 0, warps = 0;              // of a block
  std::optional<timing::Residency> residency;  // nothing: such a block does not fit
};

struct KernelOccupancy {
  std::string file, name;                 // empty: of numbers alone
  std::string machine, description;       // of the machine
  int64_t most_warps = 0, registers = 0;  // of its multiprocessors
  timing::Span shared_bytes;              // the same
  std::optional<ir::Extent> block;        // nothing: only block sizes were asked for
  bool block_from_file = false;
  int64_t warps_per_block = 0;
  timing::BlockNeeds needs;
  timing::Residency residency;
  std::vector<OccupancyStep> steps;
  std::vector<BlockSize> block_sizes;    // ascending; empty if not asked for
  std::vector<std::string> assumptions;  // sentences
};

struct OccupancyReport {
  std::vector<KernelOccupancy> kernels;  // in the order of the files and of the kernels in them
  support::Diagnostics errors;           // in the order of the files
};

}  // namespace warpspan::app
