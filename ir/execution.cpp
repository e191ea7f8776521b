// SPDX-License-Identifier: GPL-3.0-or-later
#include "ir/execution.hpp"

#include <utility>

#include "ir/path_record.hpp"
#include "ir/walk.hpp"

namespace warpspan::ir {

namespace {

// Sums of measures; joined by taking the larger of each. What they are sums of is written down if there is a record.
class Totals {
 public:
  struct State {
    std::vector<support::Integer> sums;
    PathRecord::Node path = PathRecord::nothing;
  };

  // of_lane: nothing if it is the same.
  Totals(const Kernel& kernel, size_t measures, const BlockMeasure& measure, const BlockMeasure& of_lane,
         PathRecord* record)
      : measures_(measures), record_(record) {
    const auto leaf = [record] { return record == nullptr ? PathRecord::nothing : record->leaf(); };
    for (BlockId id = 0; id < kernel.blocks.size(); ++id) blocks_.push_back({measure(id), leaf()});
    for (BlockId id = 0; of_lane && id < kernel.blocks.size(); ++id) lanes_.push_back({of_lane(id), leaf()});
  }

  PathRecord::Node leaf_of(BlockId block) const { return blocks_[block].path; }
  PathRecord::Node lane_of(BlockId block) const { return lanes_.empty() ? PathRecord::nothing : lanes_[block].path; }

  State start() const { return {std::vector<support::Integer>(measures_)}; }
  State run(State state, BlockId block) const { return sum(std::move(state), blocks_[block], 1); }
  State run_lane(State state, BlockId block) const {
    return sum(std::move(state), lanes_.empty() ? blocks_[block] : lanes_[block], 1);
  }
  State join(const State& a, const State& b) const {
    State result = a;
    for (size_t i = 0; i < measures_; ++i) result.sums[i] = max(a.sums[i], b.sums[i]);
    if (record_ == nullptr) return result;
    std::vector<bool> second(measures_);
    for (size_t i = 0; i < measures_; ++i) second[i] = !(result.sums[i] == a.sums[i]);
    result.path = record_->choice(a.path, b.path, second);
    return result;
  }
  // Every iteration adds the same: no path depends on what came before.
  State repeat(const State& state, const std::function<State(const State&)>& body, int64_t times) const {
    return times == 0 ? state : sum(state, body(start()), times);
  }
  State serialize(const State& state, const State& region, int64_t times) const { return sum(state, region, times); }
  State without_past(const State& /*state*/) const { return start(); }
  State after(const State& state, const State& change) const { return sum(state, change, 1); }
  bool same(const State& /*a*/, const State& /*b*/) const { return true; }

 private:
  State sum(State a, const State& b, int64_t times) const {
    for (size_t i = 0; i < measures_; ++i) a.sums[i] += b.sums[i] * support::Integer(times);
    if (record_ != nullptr) a.path = record_->sum({{a.path, 1}, {b.path, times}});
    return a;
  }

  size_t measures_;
  PathRecord* record_;
  std::vector<State> blocks_, lanes_;
};

// Strings with their weight; the heavier of two paths counts. A string is written down as the last of its segments,
// which knows the one before it: paths share what they have in common, and a region that is passed often is stored
// once.
class Heaviest {
 public:
  struct State {
    uint32_t last = nothing;  // segment
    UnitCounts counts{};
    support::Integer weight;
  };

  Heaviest(const Kernel& kernel, const std::array<int64_t, unit_classes>& weights) {
    for (const Block& block : kernel.blocks) {
      InstructionString string;
      State state;
      for (uint32_t i = 0; i < block.count; ++i) {
        const UnitClass unit = unit_class(kernel.operation(kernel.instructions[block.first + i]).kind);
        string.append(unit);
        state.counts[static_cast<size_t>(unit)] += 1;
        state.weight += weights[static_cast<size_t>(unit)];
      }
      if (block.count > 0) state.last = add({nothing, nothing, static_cast<uint32_t>(texts_.size()), 1});
      texts_.push_back(std::move(string));
      blocks_.push_back(state);
    }
  }

  State start() const { return {}; }
  State run(const State& state, BlockId block) const { return serialize(state, blocks_[block], 1); }
  State join(const State& a, const State& b) const {
    const bool second = max(a.weight, b.weight) == b.weight && !(a.weight == b.weight);
    State result = second ? b : a;
    result.weight = max(a.weight, b.weight);
    return result;
  }
  State repeat(const State& state, const std::function<State(const State&)>& body, int64_t times) const {
    return times == 0 ? state : serialize(state, body(start()), times);
  }
  State serialize(const State& state, const State& region, int64_t times) const {
    State result = state;
    for (size_t k = 0; k < result.counts.size(); ++k) result.counts[k] += region.counts[k] * support::Integer(times);
    result.weight += region.weight * support::Integer(times);
    if (region.last != nothing && times > 0) result.last = add({state.last, region.last, nothing, times});
    return result;
  }
  State without_past(const State& /*state*/) const { return {}; }
  State after(const State& state, const State& change) const { return serialize(state, change, 1); }
  bool same(const State& /*a*/, const State& /*b*/) const { return true; }

  // The string of a state; nothing if it has more than `most_segments` segments.
  std::optional<InstructionString> text(const State& state) const {
    size_t segments_left = most_segments;
    return text(state.last, segments_left);
  }

 private:
  static constexpr uint32_t nothing = UINT32_MAX;
  static constexpr size_t most_segments = 1'000'000;

  struct Segment {
    uint32_t before;  // segment
    uint32_t region;  // segment, or nothing: a text of its own
    uint32_t text;
    int64_t repeat;
  };

  uint32_t add(const Segment& segment) const {
    segments_.push_back(segment);
    return static_cast<uint32_t>(segments_.size() - 1);
  }

  std::optional<InstructionString> text(uint32_t last, size_t& segments_left) const {
    std::vector<uint32_t> chain;
    for (uint32_t segment = last; segment != nothing; segment = segments_[segment].before) chain.push_back(segment);
    if (chain.size() > segments_left) return std::nullopt;
    segments_left -= chain.size();
    InstructionString result;
    for (auto place = chain.rbegin(); place != chain.rend(); ++place) {
      const Segment& segment = segments_[*place];
      if (segment.region == nothing) {
        result.append(texts_[segment.text]);
        continue;
      }
      const auto region = text(segment.region, segments_left);
      if (!region) return std::nullopt;
      result.append_repeated(*region, segment.repeat);
    }
    return result;
  }

  std::vector<InstructionString> texts_;  // of blocks
  std::vector<State> blocks_;
  mutable std::vector<Segment> segments_;
};

bool leaves_a_choice(const Kernel& kernel, const Flow& flow, BlockId id) {
  const Block& block = kernel.blocks[id];
  const size_t successors = block.successors.size() + (block.may_end ? 1 : 0);
  if (successors < 2) return false;
  // The branch that ends a loop takes no choice away: how often it is taken is the trip count.
  const LoopId loop = flow.blocks[id].loop;
  if (loop == no_loop || successors > 2) return true;
  size_t back = 0;
  size_t out = 0;
  for (const BlockId successor : block.successors) {
    if (successor == flow.loops[loop].header) ++back;
    LoopId l = flow.blocks[successor].loop;
    while (l != no_loop && l != loop) l = flow.loops[l].parent;
    if (l == no_loop) ++out;
  }
  return !(back == 1 && out == 1);
}

}  // namespace

std::optional<WorstString> worst_string(const Kernel& kernel, const Flow& flow,
                                        const std::array<int64_t, unit_classes>& weights) {
  const Heaviest algebra(kernel, weights);
  auto heaviest = Walk<Heaviest>(kernel, flow, algebra).run();
  if (!heaviest) return std::nullopt;
  WorstString result;
  result.counts = heaviest->counts;
  result.string = algebra.text(*heaviest);
  for (const BlockId block : flow.order) {
    if (leaves_a_choice(kernel, flow, block)) result.only_one = false;
  }
  return result;
}

std::optional<std::vector<support::Integer>> largest_totals(const Kernel& kernel, const Flow& flow, size_t measures,
                                                            const Measure& measure) {
  return largest_block_totals(kernel, flow, measures, [&](BlockId id) {
    const Block& block = kernel.blocks[id];
    std::vector<support::Integer> total(measures);
    for (uint32_t i = 0; i < block.count; ++i) {
      const auto values = measure(block.first + i);
      for (size_t m = 0; m < measures; ++m) total[m] += values[m];
    }
    return total;
  });
}

std::optional<std::vector<support::Integer>> largest_block_totals(const Kernel& kernel, const Flow& flow,
                                                                  size_t measures, const BlockMeasure& measure,
                                                                  const BlockMeasure& of_lane) {
  const Totals algebra(kernel, measures, measure, of_lane, nullptr);
  auto end = Walk<Totals>(kernel, flow, algebra).run();
  if (!end) return std::nullopt;
  return std::move(end->sums);
}

std::optional<BlockPaths> largest_block_paths(const Kernel& kernel, const Flow& flow, size_t measures,
                                              const BlockMeasure& measure, const BlockMeasure& of_lane) {
  PathRecord record;
  const Totals algebra(kernel, measures, measure, of_lane, &record);
  auto end = Walk<Totals>(kernel, flow, algebra).run();
  if (!end) return std::nullopt;
  BlockPaths paths{std::move(end->sums), {}, {}};
  if (!record.complete()) return paths;
  paths.executions.resize(measures);
  paths.of_lanes.resize(measures);
  for (size_t m = 0; m < measures; ++m) {
    if (paths.totals[m] == support::Integer(0)) continue;
    const std::vector<support::Integer> times = record.times(end->path, m);
    for (BlockId id = 0; id < kernel.blocks.size(); ++id) {
      paths.executions[m].push_back(times[algebra.leaf_of(id)]);
      paths.of_lanes[m].push_back(of_lane ? times[algebra.lane_of(id)] : support::Integer(0));
    }
  }
  return paths;
}

}  // namespace warpspan::ir
