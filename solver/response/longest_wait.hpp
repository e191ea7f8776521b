// SPDX-License-Identifier: GPL-3.0-or-later
// How long kernels of a stream, one after another, wait for room on the GPU, if so much else may run.
#pragma once

#include <optional>
#include <utility>

#include "solver/response/fullness.hpp"
#include "support/checked.hpp"

namespace warpspan::solver::response_times {

// Kernels that are analysed: each waits, and its blocks but the last to start run meanwhile.
struct Analysed {
  int64_t kernels = 1;
  int64_t blocks = 0;  // of one kernel, but for the last
  int64_t block_time = 1;
  int64_t weight = 0;  // of one block
};

// What may run while they wait, of one stream.
struct Interfering {
  support::WideInteger at_once;  // weight at any time at the most
  support::WideInteger total;    // weight times time
};

struct BlocksOfTime {
  int64_t block_time = 1;
  support::WideInteger blocks;
};

struct Wait {
  int64_t full = 1;
  int64_t least_blocks = 1;
  std::vector<Analysed> analysed;
  std::vector<Interfering> interfering;
  support::WideInteger interfering_blocks;      // at most so many blocks of others run meanwhile
  std::vector<BlocksOfTime> interfering_times;  // and each of them is one of these
};

// The most time in which they wait in all, rounded up: the smaller of both theorems of longest_wait.cpp. Nothing
// if it overflows. Takes a logarithm of the time for each entry.
std::optional<int64_t> longest_wait(Wait wait);

}  // namespace warpspan::solver::response_times
