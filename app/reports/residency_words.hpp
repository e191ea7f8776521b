// SPDX-License-Identifier: GPL-3.0-or-later
// How many blocks a multiprocessor holds, in words and as JSON.
#pragma once

#include <string>

#include "timing/launch/residency.hpp"

namespace warpspan::app {

// "8", "1 to 8"
std::string span_text(const timing::Span& span);

// Tenths of a per cent that so many warps are of the most, rounded.
int64_t share_of_warps(int64_t warps, int64_t most_warps);

// Warps of all resident blocks.
timing::Span resident_warps(const timing::Residency& residency, int64_t warps_per_block);

// "8 blocks = 64 of 64 warps (100.0 %), limited by warps"; where the number is not known "1 to 8 blocks = 8 to 64 of 64
// warps (12.5 to 100.0 %), limited by registers, at best by warps".
std::string residency_text(const timing::Residency& residency, int64_t warps_per_block, int64_t most_warps);

// "32 registers per thread (--registers)", "1 to 255 registers per thread (no more on the machine)".
std::string registers_text(const timing::BlockNeeds& needs);

// The same and shared memory.
std::string needs_text(const timing::BlockNeeds& needs);

}  // namespace warpspan::app
