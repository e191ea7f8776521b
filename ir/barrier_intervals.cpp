// SPDX-License-Identifier: GPL-3.0-or-later
#include "ir/barrier_intervals.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "ir/sync_points.hpp"
#include "ir/walk.hpp"

namespace warpspan::ir {

namespace {

using support::Integer;
using Amounts = std::vector<Integer>;

// Of the paths through a part of the kernel, each maximized by itself. What is no part of any path is 0: it is not
// larger than an interval of one.
class IntervalSums {
 public:
  static constexpr bool in_order = true;  // between which synchronisations lanes leave a loop
  struct State {
    Integer sync_points;
    bool passes = true;           // there is a path without a synchronisation
    bool in_a_successor = false;  // the last successors were put behind one another, and warps synchronise in one
    bool out_of_order = false;    // nothing is known of the intervals
    Amounts clear;                // of a path without a synchronisation
    Amounts head, tail;           // before the first synchronisation of a path, behind the last one
    Amounts inside;               // between two synchronisations
  };

  IntervalSums(const Kernel& kernel, size_t measures, const Measure& measure) : measures_(measures) {
    for (const Block& block : kernel.blocks) blocks_.push_back(of_block(kernel, block, measure));
  }

  State start() const {
    const Amounts none(measures_);
    return {{}, true, false, false, none, none, none, none};
  }
  State run(const State& state, BlockId block) const { return after(state, blocks_[block]); }
  State join(const State& a, const State& b) const {
    State result = a;
    result.sync_points = max(a.sync_points, b.sync_points);
    result.passes = a.passes || b.passes;
    result.in_a_successor = a.in_a_successor || b.in_a_successor;
    result.out_of_order = a.out_of_order || b.out_of_order;
    raise(result.clear, b.clear);
    raise(result.head, b.head);
    raise(result.tail, b.tail);
    raise(result.inside, b.inside);
    return result;
  }
  State repeat(const State& state, const std::function<State(const State&)>& body, int64_t times) const {
    return times == 0 ? state : after(state, power(body(start()), times));
  }
  State without_past(const State& /*state*/) const { return start(); }
  bool same(const State& /*a*/, const State& /*b*/) const { return true; }

  State after(const State& a, const State& b) const {
    State result = start();
    result.sync_points = a.sync_points + b.sync_points;
    result.passes = a.passes && b.passes;
    result.out_of_order = a.out_of_order || b.out_of_order;
    if (result.passes) result.clear = sum(a.clear, b.clear);
    result.head = a.head;
    if (a.passes) raise(result.head, sum(a.clear, b.head));
    result.tail = b.tail;
    if (b.passes) raise(result.tail, sum(a.tail, b.clear));
    result.inside = sum(a.tail, b.head);
    raise(result.inside, a.inside);
    raise(result.inside, b.inside);
    return result;
  }

  // Warps synchronise behind one successor of a branch at most, else nothing is known. Successors that were put before
  // it may come behind it: they are part of what has come since the last synchronisation. Those behind it may come
  // before it.
  State serialize(const State& state, const State& region, int64_t times) const {
    if (region.sync_points == Integer(0)) {
      const Amounts more = product(region.clear, times);
      State result = after(state, power(region, times));
      result.in_a_successor = state.in_a_successor;
      if (!state.in_a_successor) return result;
      raise(result.head, sum(state.head, more));
      raise(result.inside, sum(state.inside, more));
      return result;
    }
    State result = after(state, region);
    Amounts before = state.tail;
    if (state.passes) raise(before, state.clear);
    raise(result.tail, sum(region.tail, before));
    result.in_a_successor = true;
    result.out_of_order = result.out_of_order || state.in_a_successor || times > 1;
    return result;
  }

  Amounts largest(const State& state) const {
    Amounts all = state.inside;
    raise(all, state.head);
    raise(all, state.tail);
    if (state.passes) raise(all, state.clear);
    return all;
  }

 private:
  static void raise(Amounts& to, const Amounts& least) {
    for (size_t m = 0; m < to.size(); ++m) to[m] = max(to[m], least[m]);
  }
  static Amounts sum(Amounts a, const Amounts& b) {
    for (size_t m = 0; m < a.size(); ++m) a[m] += b[m];
    return a;
  }
  static Amounts product(Amounts a, int64_t times) {
    for (Integer& amount : a) amount *= Integer(times);
    return a;
  }

  // A region so many times, at least once.
  State power(const State& region, int64_t times) const {
    State result = region;
    result.sync_points *= Integer(times);
    if (times == 1) return result;
    result.inside = sum(region.tail, region.head);
    if (region.passes) {
      result.clear = product(region.clear, times);
      result.head = sum(region.head, product(region.clear, times - 1));
      result.tail = sum(region.tail, product(region.clear, times - 1));
      result.inside = sum(result.inside, product(region.clear, times - 2));
    }
    raise(result.inside, region.inside);
    return result;
  }

  State of_block(const Kernel& kernel, const Block& block, const Measure& measure) const {
    State state = start();
    Amounts all(measures_);
    int64_t sync_points = 0;
    for (InstructionId id = block.first; id < block.first + block.count; ++id) {
      all = sum(all, measure(id));
      if (synchronises_warps(kernel.operation(kernel.instructions[id]))) ++sync_points;
    }
    state.sync_points = sync_points;
    state.passes = sync_points == 0;
    if (state.passes) state.clear = all;
    if (sync_points > 0) state.head = state.tail = all;
    if (sync_points > 1) state.inside = all;
    return state;
  }

  size_t measures_;
  std::vector<State> blocks_;
};

}  // namespace

std::optional<BarrierIntervals> largest_intervals(const Kernel& kernel, const Flow& flow, size_t measures,
                                                  const Measure& measure) {
  const IntervalSums algebra(kernel, measures, measure);
  const auto end = Walk<IntervalSums>(kernel, flow, algebra).run();
  if (!end || end->out_of_order) return std::nullopt;
  return BarrierIntervals{end->sync_points, algebra.largest(*end)};
}

}  // namespace warpspan::ir
