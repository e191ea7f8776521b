// SPDX-License-Identifier: GPL-3.0-or-later
// What the launch puts into constant bank 0.
#pragma once

#include <cstdint>

namespace warpspan::sass {

// Byte offsets, measured by compiling kernels that read these values (docs/sass.md).
struct ConstantBank {
  int64_t block_extent = 0;  // three words: threads of a block
  int64_t grid_extent = 0;   // three words: blocks of the grid
  int64_t stack = 0;         // one word: where a thread's local memory ends
};

// Of a supported architecture.
constexpr ConstantBank constant_bank(int architecture) {
  if (architecture >= 100) return {0x360, 0x370, 0x37c};
  return {0x0, 0xc, 0x28};
}

}  // namespace warpspan::sass
