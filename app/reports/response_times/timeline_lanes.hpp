// SPDX-License-Identifier: GPL-3.0-or-later
// Where the blocks and copies of a run are drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/reports/response_times/response_report.hpp"

namespace warpspan::app {

// A row of blocks that do not overlap, on a multiprocessor or a copy engine.
struct Lane {
  bool copies = false;
  int64_t place = 0;           // the multiprocessor or the engine
  bool first = true;           // of its place
  std::vector<size_t> blocks;  // of Run::blocks, in the order of their starts
};

// Multiprocessors before copy engines, each as many rows as it has blocks at once: a block takes the first row that is
// free.
std::vector<Lane> lanes_of(const solver::response_times::Workload& workload, const Timeline& timeline);

// The task that a block is of.
size_t task_of(const Timeline& timeline, const solver::response_times::BlockRun& block);

}  // namespace warpspan::app
