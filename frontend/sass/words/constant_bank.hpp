// SPDX-License-Identifier: GPL-3.0-or-later
// What the launch puts into constant bank 0.
#pragma once

#include <cstdint>
#include <optional>

namespace warpspan::sass {

// Byte offsets, measured by compiling kernels that read these values (docs/sass.md).
struct ConstantBank {
  int64_t block_extent = 0;  // three words: threads of a block
  int64_t grid_extent = 0;   // three words: blocks of the grid
  int64_t stack = 0;         // one word: where a thread's local memory ends
  int64_t own_window = 0;    // 64 bits: the generic address of byte 0 of local memory
  // 64 bits: the generic address of byte 0 of shared memory. Later targets have the upper half of it in a special
  // register.
  std::optional<int64_t> shared_window = std::nullopt;
};

// Of a supported architecture.
constexpr ConstantBank constant_bank(int architecture) {
  if (architecture >= 100) return {0x360, 0x370, 0x37c, 0x2f8};
  if (architecture >= 90) return {0x0, 0xc, 0x28, 0x20};
  return {0x0, 0xc, 0x28, 0x20, 0x18};
}

}  // namespace warpspan::sass
