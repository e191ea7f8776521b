// SPDX-License-Identifier: GPL-3.0-or-later
// Read-after-write dependencies through registers.
#pragma once

#include <cstddef>
#include <vector>

#include "ir/kernel.hpp"

namespace warpspan::ir {

struct RawEdge {
  InstructionId write = 0;
  InstructionId read = 0;
  RegisterId reg = 0;
  friend auto operator<=>(const RawEdge&, const RawEdge&) = default;
};

// Every write of a register whose value an instruction may read, within and across blocks; ascending. A guarded write
// leaves the value before it alive.
std::vector<RawEdge> raw_edges(const Kernel& kernel);

// How many there are, without a list of them: there can be as many as pairs of instructions.
size_t count_raw_edges(const Kernel& kernel);

}  // namespace warpspan::ir
