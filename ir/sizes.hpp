// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes that all GPUs have had so far. CUDA C++ Programming Guide, hardware implementation; compute capabilities.
#pragma once

#include <cstdint>

namespace warpspan::ir {

inline constexpr int64_t warp_lanes = 32;
// Threads come in whole warps.
constexpr int64_t warps_of(int64_t threads) { return (threads + warp_lanes - 1) / warp_lanes; }
inline constexpr int64_t memory_line_bytes = 128;  // global memory is accessed by lines
// Shared memory: words that follow each other are in banks that do.
inline constexpr int64_t memory_banks = 32;
inline constexpr int64_t bank_bytes = 4;

}  // namespace warpspan::ir
