// Read-after-write dependencies through registers.
#pragma once

#include <vector>

#include "ir/kernel.hpp"

namespace warpspan::ir {

struct RawEdge {
  InstructionId write = 0;
  InstructionId read = 0;
  friend bool operator==(const RawEdge&, const RawEdge&) = default;
};

// Every pair of an instruction that writes a register and one that may read that value, within and across blocks, once
// each however many registers carry it; ascending by read, then write. A guarded write leaves the value before it
// alive.
std::vector<RawEdge> raw_edges(const Kernel& kernel);

}  // namespace warpspan::ir
