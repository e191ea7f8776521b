// What a warp executes between two meetings with the other warps of its block.
#pragma once

#include <optional>
#include <vector>

#include "ir/execution.hpp"
#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "support/checked.hpp"

namespace warpspan::ir {

struct Pieces {
  support::Integer meetings;              // that a warp passes at most
  std::vector<support::Integer> largest;  // by measure: the most of one piece, each maximized by itself
};

// For several measures of an instruction, each at least 0. A block in which warps meet counts as a whole for each piece
// that it is part of: the assembler may put what computes on the other side of a barrier. Nothing if the kernel never
// ends, or nothing is known of the order of its meetings.
std::optional<Pieces> largest_pieces(const Kernel& kernel, const Flow& flow, size_t measures, const Measure& measure);

}  // namespace warpspan::ir
