// SPDX-License-Identifier: GPL-3.0-or-later
// What a warp executes on its worst-case path through a kernel: how much of each kind, and in which order.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "ir/flow.hpp"
#include "ir/instruction_string.hpp"
#include "ir/kernel.hpp"
#include "support/checked.hpp"

namespace warpspan::ir {

// The instruction string of the path that maximizes the sum of the weights of its symbols, by UnitClass, each at
// least 1.
struct WorstString {
  std::optional<InstructionString> string;  // nothing if it is too long to be written down
  UnitCounts counts{};                      // of the string
  // No warp can execute another string: no branch that leaves a choice or an order open, and no guarded exit. Loops are
  // taken to run as often as their trip counts say.
  bool only_one = true;
};
std::optional<WorstString> worst_string(const Kernel& kernel, const Flow& flow,
                                        const std::array<int64_t, unit_classes>& weights);

// For several measures of an instruction, each at least 0, the largest total that a warp can reach of each: every
// measure is maximized by itself. Nothing if the kernel never ends (see Walk).
using Measure = std::function<std::vector<support::Integer>(InstructionId)>;
std::optional<std::vector<support::Integer>> largest_totals(const Kernel& kernel, const Flow& flow, size_t measures,
                                                            const Measure& measure);

// The same for measures of a block as a whole, counted each time the block is executed. Where lanes are counted one by
// one (Walk), what counts of each is of_lane: k lanes that execute the block together have no more than k times as
// much. Without it, that is the measure.
using BlockMeasure = std::function<std::vector<support::Integer>(BlockId)>;
std::optional<std::vector<support::Integer>> largest_block_totals(const Kernel& kernel, const Flow& flow,
                                                                  size_t measures, const BlockMeasure& measure,
                                                                  const BlockMeasure& of_lane = {});

// The same, and for each measure a path that has the largest total of it.
struct BlockPaths {
  std::vector<support::Integer> totals;
  // By measure and block: how often it is executed on the path; of a total of 0 nothing. Empty if there is no memory to
  // tell.
  std::vector<std::vector<support::Integer>> executions;
  // Those of them that count as of one lane each, which are no part of the others; as long as `executions`.
  std::vector<std::vector<support::Integer>> of_lanes;
};
std::optional<BlockPaths> largest_block_paths(const Kernel& kernel, const Flow& flow, size_t measures,
                                              const BlockMeasure& measure, const BlockMeasure& of_lane = {});

}  // namespace warpspan::ir
