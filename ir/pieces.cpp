#include "ir/pieces.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "ir/meetings.hpp"
#include "ir/walk.hpp"

namespace warpspan::ir {

namespace {

using support::Integer;
using Amounts = std::vector<Integer>;

// Of the paths through a part of the kernel, each maximized by itself. What is no part of any path is 0: it is not
// larger than a piece of one.
class PieceSums {
 public:
  struct State {
    Integer meetings;
    bool passes = true;         // a path without a meeting is there
    bool in_a_way = false;      // the last ways were put behind one another, and warps meet in one of them
    bool out_of_order = false;  // nothing is known of the pieces
    Amounts clear;              // of a path without a meeting
    Amounts head, tail;         // before the first meeting of a path, behind the last one
    Amounts inside;             // between two meetings
  };

  PieceSums(const Kernel& kernel, size_t measures, const Measure& measure) : measures_(measures) {
    for (const Block& block : kernel.blocks) blocks_.push_back(of_block(kernel, block, measure));
  }

  State start() const {
    const Amounts none(measures_);
    return {{}, true, false, false, none, none, none, none};
  }
  State run(const State& state, BlockId block) const { return after(state, blocks_[block]); }
  State join(const State& a, const State& b) const {
    State result = a;
    result.meetings = max(a.meetings, b.meetings);
    result.passes = a.passes || b.passes;
    result.in_a_way = a.in_a_way || b.in_a_way;
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
    result.meetings = a.meetings + b.meetings;
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

  // Of the ways of a branch warps meet in one at most, else nothing is known. Ways that were put before it may come
  // behind it: they are part of what has come since the last meeting. Ways that are put behind it may come before it.
  State serialize(const State& state, const State& region, int64_t times) const {
    if (region.meetings == Integer(0)) {
      const Amounts more = product(region.clear, times);
      State result = after(state, power(region, times));
      result.in_a_way = state.in_a_way;
      if (!state.in_a_way) return result;
      raise(result.head, sum(state.head, more));
      raise(result.inside, sum(state.inside, more));
      return result;
    }
    State result = after(state, region);
    Amounts before = state.tail;
    if (state.passes) raise(before, state.clear);
    raise(result.tail, sum(region.tail, before));
    result.in_a_way = true;
    result.out_of_order = result.out_of_order || state.in_a_way || times > 1;
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
    result.meetings *= Integer(times);
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
    int64_t meetings = 0;
    for (InstructionId id = block.first; id < block.first + block.count; ++id) {
      all = sum(all, measure(id));
      if (meets_warps(kernel.operation(kernel.instructions[id]).kind)) ++meetings;
    }
    state.meetings = meetings;
    state.passes = meetings == 0;
    if (state.passes) state.clear = all;
    if (meetings > 0) state.head = state.tail = all;
    if (meetings > 1) state.inside = all;
    return state;
  }

  size_t measures_;
  std::vector<State> blocks_;
};

}  // namespace

std::optional<Pieces> largest_pieces(const Kernel& kernel, const Flow& flow, size_t measures, const Measure& measure) {
  const PieceSums algebra(kernel, measures, measure);
  const auto end = Walk<PieceSums>(kernel, flow, algebra).run();
  if (!end || end->out_of_order) return std::nullopt;
  return Pieces{end->meetings, algebra.largest(*end)};
}

}  // namespace warpspan::ir
