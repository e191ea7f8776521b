// SPDX-License-Identifier: GPL-3.0-or-later
// How a launch falls on the machine.
#pragma once

#include <algorithm>
#include <optional>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "support/result.hpp"
#include "timing/launch/residency.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

struct Load {
  int64_t warps_per_block = 1;
  int64_t device_blocks = 1;  // of the grid
  int64_t device_warps = 1;   // of all multiprocessors
  // Of one multiprocessor, over the whole run, where blocks are dealt round-robin.
  int64_t blocks = 1;
  int64_t warps = 1;
  int64_t cluster = 1;                            // blocks that start together; 1: none do
  bool grid_given = false;                        // otherwise: one block, alone on the device
  std::optional<support::Rational> interference;  // ir::Interference::share
  BlockNeeds needs;
  Residency residency;

  // How often the multiprocessor is filled with blocks.
  int64_t waves() const { return (blocks - 1) / std::max<int64_t>(1, residency.blocks.least) + 1; }
};

// The load of a launch whose block is known. Errors: a block larger than the machine allows, a grid that overflows,
// clusters of which the file does not say how large they are or the grid how many, and those of block_needs.
support::Result<Load> load_of(const ir::Kernel& kernel, const ir::Launch& launch, const Machine& machine);

}  // namespace warpspan::timing
