// SPDX-License-Identifier: GPL-3.0-or-later
// What a warp executes between two barrier synchronisations of its block: a barrier interval.
#pragma once

#include <optional>
#include <vector>

#include "ir/execution.hpp"
#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "support/checked.hpp"

namespace warpspan::ir {

struct BarrierIntervals {
  support::Integer sync_points;           // that a warp passes at most
  std::vector<support::Integer> largest;  // by measure: the most of one interval, each maximized by itself
};

// For several measures of an instruction, each at least 0. A block in which warps synchronise counts as a whole for
// each interval that it is part of: the assembler may put what computes on the other side of a barrier. Nothing if the
// kernel never ends, or nothing is known of the order of its synchronisations.
std::optional<BarrierIntervals> largest_intervals(const Kernel& kernel, const Flow& flow, size_t measures,
                                                  const Measure& measure);

}  // namespace warpspan::ir
