// SPDX-License-Identifier: GPL-3.0-or-later
// What an array holds before a kernel is executed, for an estimate of its time. Element i depends on i and the seed
// only, so that a program which runs the kernel can make the same array; docs/simulate.md has the formulas.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace warpspan::ir {

struct Contents {
  enum class Kind : uint8_t {
    zeros,
    ramp,      // 0, 1, 2, ... as 32-bit words
    integers,  // of 32 bits, drawn from 0 to `below` - 1; 0: from all
    reals,     // numbers of single precision, drawn from 0 to 1, without 1
    doubles,   // of double precision
    halves,    // of half precision
    bytes,     // and zeros behind them
  };
  Kind kind = Kind::zeros;
  uint64_t seed = 0;  // of what is drawn
  uint32_t below = 0;
  std::shared_ptr<const std::string> bytes = nullptr;
};

// The bytes of the array from that one on.
void write_contents(const Contents& contents, uint64_t first, std::span<uint8_t> to);

}  // namespace warpspan::ir
