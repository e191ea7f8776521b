// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory a run may take.
#pragma once

#include <cstdint>

namespace warpspan::app {

inline constexpr int64_t least_memory = int64_t{64} << 20;

// The part of a run's memory that a search may hold is one in so many: the rest is for the kernels and their analysis.
inline constexpr int64_t search_share = 4;

// 4 GiB, or three quarters of what the machine (or the group of processes that this one is limited with) has, if that
// is less.
int64_t default_memory();

// Lets the program take so many bytes more than it has now, besides the stack of isolated work.
void limit_memory(int64_t bytes);

}  // namespace warpspan::app
