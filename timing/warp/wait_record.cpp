// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/warp/wait_record.hpp"

#include <algorithm>

#include "support/checked.hpp"

namespace warpspan::timing {

using support::Integer;

namespace {

// The values; nothing if one has overflowed or is negative.
std::optional<std::vector<int64_t>> values_of(const std::vector<Integer>& sums) {
  std::vector<int64_t> values;
  for (const Integer& sum : sums) {
    if (!sum.is_at_least(0)) return std::nullopt;
    values.push_back(*sum.value());
  }
  return values;
}

}  // namespace

void WaitRecord::add(const Delay& wait) {
  if (wait.cycles == 0 || waits_.size() == most_waits) return;
  const size_t first = runs_.empty() ? 0 : runs_.back().end;
  if (waits_.size() > first && waits_.back().cause == wait.cause) {
    waits_.back().cycles += wait.cycles;
  } else {
    waits_.push_back(wait);
  }
}

WaitRecord::Node WaitRecord::after_run(Node before, ir::BlockId block) {
  const Node run = path_.leaf();
  runs_.push_back({run, block, waits_.size()});
  return path_.sum({{before, 1}, {run, 1}});
}

WaitRecord::Node WaitRecord::after_wait(Node before, const Delay& wait) {
  if (wait.cycles == 0) return before;
  add(wait);
  return after_run(before, ir::no_block);
}

std::optional<WarpWaits> WaitRecord::waits(Node end, size_t instructions, size_t blocks) const {
  if (!path_.complete() || waits_.size() == most_waits) return std::nullopt;
  const std::vector<Integer> times = path_.times(end);
  std::vector<Integer> cycles(instructions), executions(blocks);
  size_t first = 0;
  for (const Run& run : runs_) {
    const Integer count = times[run.node];
    if (run.block != ir::no_block) executions[run.block] += count;
    for (size_t w = first; w < run.end; ++w) cycles[waits_[w].cause] += count * Integer(waits_[w].cycles);
    first = run.end;
  }
  auto by_instruction = values_of(cycles);
  auto by_block = values_of(executions);
  if (!by_instruction || !by_block) return std::nullopt;
  return WarpWaits{std::move(*by_instruction), std::move(*by_block)};
}

}  // namespace warpspan::timing
