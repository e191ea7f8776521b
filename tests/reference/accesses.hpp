// SPDX-License-Identifier: GPL-3.0-or-later
// Into how many pieces a warp's memory access falls, counted from the addresses themselves.
//
// Global memory: lines of 128 bytes (CUDA C++ Programming Guide, global memory). Shared memory: 32 banks of 4 bytes;
// an access of n words per lane is served in n phases, each for 1/n of the warp, and a phase takes as many ways as the
// most different words in one bank. Constant memory and kernel parameters: different addresses. A thread's own memory:
// words of all lanes lie side by side, so each different word is a line. Atomic operations: lanes.
#pragma once

#include <cstdint>
#include <vector>

namespace warpspan::reference {

enum class Piece : uint8_t { line, bank_way, address, own_word, lane };

struct LaneAccess {
  unsigned lane = 0;
  Piece piece = Piece::line;
  uint64_t address = 0;  // in its space
};

// Of lanes that access `bytes` bytes each at once; 0 if there are none.
int64_t pieces(const std::vector<LaneAccess>& accesses, int bytes);

}  // namespace warpspan::reference
