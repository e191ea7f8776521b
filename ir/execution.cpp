#include "ir/execution.hpp"

#include "ir/walk.hpp"

namespace warpspan::ir {

namespace {

// Sums of measures; joined by taking the larger of each.
class Totals {
 public:
  using State = std::vector<support::Integer>;

  Totals(const Kernel& kernel, size_t measures, const BlockMeasure& measure) : measures_(measures) {
    for (BlockId id = 0; id < kernel.blocks.size(); ++id) blocks_.push_back(measure(id));
  }

  State start() const { return State(measures_); }
  State run(const State& state, BlockId block) const { return sum(state, blocks_[block], 1); }
  State join(const State& a, const State& b) const {
    State result = a;
    for (size_t i = 0; i < result.size(); ++i) result[i] = max(a[i], b[i]);
    return result;
  }
  // Every round adds the same: the body is a maximum over ways, and no way depends on what came before.
  State repeat(const State& state, const std::function<State(const State&)>& body, int64_t times) const {
    return times == 0 ? state : sum(state, body(start()), times);
  }
  State then_apart(const State& state, const State& region, int64_t times) const { return sum(state, region, times); }

 private:
  static State sum(const State& a, const State& b, int64_t times) {
    State result = a;
    for (size_t i = 0; i < result.size(); ++i) result[i] += b[i] * support::Integer(times);
    return result;
  }

  size_t measures_;
  std::vector<State> blocks_;
};

struct WeightedString {
  InstructionString string;
  support::Integer weight;
};

// Strings with their weight; the heavier of two ways is kept.
class Heaviest {
 public:
  using State = WeightedString;

  Heaviest(const Kernel& kernel, const std::array<int64_t, unit_classes>& weights) {
    for (const Block& block : kernel.blocks) {
      State state;
      for (uint32_t i = 0; i < block.count; ++i) {
        const UnitClass unit = unit_class(kernel.operation(kernel.instructions[block.first + i]).kind);
        state.string.append(unit);
        state.weight += weights[static_cast<size_t>(unit)];
      }
      blocks_.push_back(std::move(state));
    }
  }

  State start() const { return {}; }
  State run(const State& state, BlockId block) const { return then_apart(state, blocks_[block], 1); }
  State join(const State& a, const State& b) const {
    const bool second = max(a.weight, b.weight) == b.weight && !(a.weight == b.weight);
    State result = second ? b : a;
    result.weight = max(a.weight, b.weight);
    return result;
  }
  State repeat(const State& state, const std::function<State(const State&)>& body, int64_t times) const {
    return times == 0 ? state : then_apart(state, body(start()), times);
  }
  State then_apart(const State& state, const State& region, int64_t times) const {
    State result = state;
    result.string.append_repeated(region.string, times);
    result.weight += region.weight * support::Integer(times);
    return result;
  }

 private:
  std::vector<State> blocks_;
};

bool leaves_a_choice(const Kernel& kernel, const Flow& flow, BlockId id) {
  const Block& block = kernel.blocks[id];
  const size_t ways = block.successors.size() + (block.may_end ? 1 : 0);
  if (ways < 2) return false;
  // The branch that ends a loop takes no choice away: how often it is taken is the trip count.
  const LoopId loop = flow.blocks[id].loop;
  if (loop == no_loop || ways > 2) return true;
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
  result.string = std::move(heaviest->string);
  result.counts = result.string.counts();
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
      const auto values = measure(kernel.instructions[block.first + i]);
      for (size_t m = 0; m < measures; ++m) total[m] += values[m];
    }
    return total;
  });
}

std::optional<std::vector<support::Integer>> largest_block_totals(const Kernel& kernel, const Flow& flow,
                                                                  size_t measures, const BlockMeasure& measure) {
  const Totals algebra(kernel, measures, measure);
  return Walk<Totals>(kernel, flow, algebra).run();
}

}  // namespace warpspan::ir
