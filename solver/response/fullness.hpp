// SPDX-License-Identifier: GPL-3.0-or-later
// How much runs on a GPU while a block finds no room on it.
#pragma once

#include <optional>

#include "solver/response/workload.hpp"

namespace warpspan::solver::response_times {

// While a block of one of some kernels fits on no multiprocessor, the weights of all blocks that run add up to `full`
// at least, and they are `least_blocks` at least.
struct Fullness {
  int64_t full = 0;              // up to 2^46
  int64_t least_blocks = 0;      // at least 1
  std::vector<int64_t> weights;  // of a block, by kernel; from 0
};

// `kernels` are all that may run; `waits` states by kernel whether its blocks may be those that find no room. Nothing
// if these need nothing, so that they always find room. The theorem is in fullness.cpp. Linear in the number of
// kernels.
std::optional<Fullness> fullness(const Gpu& gpu, const std::vector<Kernel>& kernels, const std::vector<bool>& waits);

}  // namespace warpspan::solver::response_times
