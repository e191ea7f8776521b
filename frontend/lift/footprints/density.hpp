// SPDX-License-Identifier: GPL-3.0-or-later
// Whether accesses cover a range of memory without gaps, each line of it about as often.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/lift/footprints/linear_forms.hpp"

namespace warpspan::lift {

// Accesses of `bytes` bytes at `address`, one for each point of the box where every condition is at most 0. The first
// `lane_variables` of the box are those that separate the lanes of a warp; lanes of a warp at which all else is the
// same make one request for each line.
struct Accesses {
  Box box;
  LinearForm address;
  int64_t bytes = 1;
  std::vector<LinearForm> conditions;
  size_t lane_variables = 0;
};

// Smaller ranges need not lie in all the channels that memory is spread over: one line that all threads ask for is
// asked for as often as an average one, too. 64 KiB are 512 lines; the largest memories, eight stacks of HBM3 with 32
// pseudo-channels each (JESD238), have 256 of them.
inline constexpr int64_t least_dense_bytes = 64 << 10;

// First byte and the one behind the last, where it is proven that, wherever address 0 lies, each line of the range is
// touched, and none by more than twice as many requests as an average one. Nothing where it is not.
std::optional<Interval> dense_range(const Accesses& accesses);

// Whether the lanes of each warp access bytes one behind the other that make up whole lines, but for warps that the
// ends of the range cut, if the first of them lies at the beginning of a line.
bool covers_lines(const Accesses& accesses);

}  // namespace warpspan::lift
