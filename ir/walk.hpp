// The worst way through a kernel's flow graph.
//
// Walk folds a flow graph with its flow facts into one value: it visits blocks in the order a warp can execute them and
// lets an Algebra say what executing means: counting, timing, writing down a string. All analyses of a kernel share
// this one reading of control flow:
//   - A uniform branch takes one way: the ways are joined where they meet.
//   - A divergent branch takes all its ways, one after another in an unknown order, until the lanes join again at the
//     branch's immediate post-dominator. A way without blocks costs nothing, so a guarded piece of code, or lanes that
//     wait outside a loop they have left, cost what the others execute.
//   - A loop runs its body trip_count - 1 times back to its header, and then from the header out.
//   - Lanes may run apart in a loop: where lanes part in it and come back to its header without having joined (a break
//   under
//     a divergent condition), they may be in different iterations, and each may run all of them. Such a loop, up to
//     where all its lanes have joined again, costs what each of the 32 lanes would need alone, one after another.
// Assumption: diverged lanes join again at the immediate post-dominator at the latest, once all of them have arrived.
//
// Requires: every reachable loop has a trip count; flow facts of the same kernel. Cost: each block is visited once per
// evaluation of the loops around it.
#pragma once

#include <algorithm>
#include <concepts>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"

namespace warpspan::ir {

// What Walk computes. State is what is known when a warp stands between two blocks.
template <typename A>
concept Algebra = requires(const A a, const typename A::State s, BlockId block,
                           const std::function<typename A::State(const typename A::State&)> body, int64_t times) {
  { a.start() } -> std::same_as<typename A::State>;                 // before the first instruction
  { a.run(s, block) } -> std::same_as<typename A::State>;           // after a block more
  { a.join(s, s) } -> std::same_as<typename A::State>;              // the worse of two, or something above both
  { a.repeat(s, body, times) } -> std::same_as<typename A::State>;  // body applied `times` times, at least 0
  {
    a.then_apart(s, s, times)
    } -> std::same_as<typename A::State>;  // after s: `times` runs of a region, each evaluated
                                           // by itself from start(), in an unknown order
};

inline constexpr int64_t lanes = 32;
inline constexpr int deepest_region = 1000;

// Which loops lanes may run apart in (see above); one entry per loop.
std::vector<bool> loops_run_apart(const Kernel& kernel, const Flow& flow);

template <Algebra A>
class Walk {
 public:
  using State = typename A::State;

  Walk(const Kernel& kernel, const Flow& flow, const A& algebra)
      : kernel_(kernel),
        flow_(flow),
        algebra_(algebra),
        apart_(loops_run_apart(kernel, flow)),
        rank_(kernel.blocks.size()) {
    for (size_t i = 0; i < flow.order.size(); ++i) rank_[flow.order[i]] = static_cast<uint32_t>(i);
  }

  // The state when a warp has ended, or nothing if it never ends or regions are nested deeper than deepest_region.
  std::optional<State> run() {
    const Outcomes outcomes = run_until(0, no_block, no_loop, algebra_.start());
    const auto end = outcomes.find(no_block);
    return too_deep_ || end == outcomes.end() ? std::nullopt : std::optional<State>(end->second);
  }

 private:
  using Outcomes =
      std::map<BlockId, State>;  // where control leaves a region, and the state there; no_block: the kernel ends

  bool inside(LoopId loop, BlockId block) const {
    if (loop == no_loop) return true;
    LoopId l = flow_.blocks[block].loop;
    while (l != no_loop && l != loop) l = flow_.loops[l].parent;
    return l == loop;
  }

  template <typename Key>
  void add(std::map<Key, State>& states, Key key, const State& state) const {
    const auto [known, fresh] = states.emplace(key, state);
    if (!fresh) known->second = algebra_.join(known->second, state);
  }

  // From `entry`, which is directly in `level` or the header of a loop in it, until control reaches `stop`, takes a
  // back edge to level's header, leaves level, or ends.
  Outcomes run_region(BlockId entry, BlockId stop, LoopId level, const State& state) {
    Outcomes out;
    if (++depth_ > deepest_region) too_deep_ = true;
    std::map<uint32_t, State> pending;  // by rank: every edge but back edges goes from a lower to a higher one
    const auto flow_to = [&](BlockId target, const State& s) {
      const bool back = level != no_loop && target == flow_.loops[level].header;
      if (target == no_block || target == stop || back || !inside(level, target)) {
        add(out, target, s);
      } else {
        add(pending, rank_[target], s);
      }
    };
    add(pending, rank_[entry], state);
    while (!pending.empty() && !too_deep_) {
      const BlockId block = flow_.order[pending.begin()->first];
      const State before = std::move(pending.begin()->second);
      pending.erase(pending.begin());
      const bool child_loop = flow_.blocks[block].loop != level;
      const Outcomes next = child_loop ? run_loop(child_of(level, block), before) : run_block(block, level, before);
      for (const auto& [target, s] : next) flow_to(target, s);
    }
    --depth_;
    return out;
  }

  // The loop directly in `level` that holds the block.
  LoopId child_of(LoopId level, BlockId block) const {
    LoopId loop = flow_.blocks[block].loop;
    while (flow_.loops[loop].parent != level) loop = flow_.loops[loop].parent;
    return loop;
  }

  Outcomes run_block(BlockId block, LoopId level, const State& before) {
    const State after = algebra_.run(before, block);
    Outcomes out;
    std::vector<BlockId> ways = kernel_.blocks[block].successors;
    if (kernel_.blocks[block].may_end) ways.push_back(no_block);
    const BlockId join = flow_.blocks[block].post_dominator;
    const auto waits = [join](BlockId way) { return way == join; };
    const auto busy = static_cast<size_t>(std::count_if(ways.begin(), ways.end(), std::not_fn(waits)));
    if (!flow_.blocks[block].divergent || lanes_alone_ || busy <= 1) {
      for (const BlockId way : ways) add(out, way, after);
      return out;
    }
    State all = after;
    std::vector<BlockId> targets;
    for (const BlockId way : ways) {
      const Outcomes& side = side_of(block, way, join, level);
      std::optional<State> worst;
      for (const auto& [target, s] : side) {
        worst = worst ? algebra_.join(*worst, s) : s;
        targets.push_back(target);
      }
      if (worst) all = algebra_.then_apart(all, *worst, 1);
    }
    for (const BlockId target : targets) add(out, target, all);
    return out;
  }

  // One way of a divergent branch, evaluated by itself: its value depends on nothing before it.
  const Outcomes& side_of(BlockId block, BlockId way, BlockId join, LoopId level) {
    const auto key = std::make_pair(block, way);
    const auto known = sides_.find(key);
    if (known != sides_.end()) return known->second;
    Outcomes side;
    if (way == join) {
      side.emplace(way, algebra_.start());
    } else {
      side = run_until(way, join, level, algebra_.start());
    }
    return sides_.emplace(key, std::move(side)).first->second;
  }

  // As run_region, but leaves loops behind until control is at `stop`, at the header of a loop that holds `level`, or
  // at the end: lanes that have left a loop go on by themselves to where all join.
  Outcomes run_until(BlockId entry, BlockId stop, LoopId level, const State& state) {
    Outcomes out;
    std::map<std::pair<uint32_t, BlockId>, State> open;
    const auto settle = [&](BlockId target, const State& s) {
      if (target == no_block || target == stop || is_header_around(level, target)) {
        add(out, target, s);
      } else {
        add(open, std::make_pair(rank_[target], target), s);
      }
    };
    settle(entry, state);
    while (!open.empty() && !too_deep_) {
      const BlockId from = open.begin()->first.second;
      const State s = std::move(open.begin()->second);
      open.erase(open.begin());
      LoopId around = level;
      while (!inside(around, from)) around = flow_.loops[around].parent;
      for (const auto& [target, next] : run_region(from, stop, around, s)) settle(target, next);
    }
    return out;
  }

  bool is_header_around(LoopId level, BlockId block) const {
    for (LoopId l = level; l != no_loop; l = flow_.loops[l].parent) {
      if (flow_.loops[l].header == block) return true;
    }
    return false;
  }

  Outcomes run_loop(LoopId loop, const State& before) {
    if (apart_[loop] && !lanes_alone_) return run_apart(loop, before);
    const BlockId header = flow_.loops[loop].header;
    const auto body = [&](const State& s) {
      const Outcomes iteration = run_region(header, no_block, loop, s);
      const auto back = iteration.find(header);
      return back == iteration.end() ? s : back->second;
    };
    Outcomes last =
        run_region(header, no_block, loop, algebra_.repeat(before, body, flow_.loops[loop].trip_count.value_or(1) - 1));
    last.erase(header);
    return last;
  }

  // The loop and what follows up to where all lanes have joined, for each lane alone.
  Outcomes run_apart(LoopId loop, const State& before) {
    const LoopId level = flow_.loops[loop].parent;
    BlockId join = flow_.loops[loop].header;
    while (join != no_block && inside(loop, join)) join = flow_.blocks[join].post_dominator;
    lanes_alone_ = true;
    const Outcomes alone = run_until(flow_.loops[loop].header, join, level, algebra_.start());
    lanes_alone_ = false;
    Outcomes out;
    for (const auto& [target, s] : alone) add(out, target, algebra_.then_apart(before, s, lanes));
    return out;
  }

  const Kernel& kernel_;
  const Flow& flow_;
  const A& algebra_;
  std::vector<bool> apart_;
  std::vector<uint32_t> rank_;
  std::map<std::pair<BlockId, BlockId>, Outcomes> sides_;
  int depth_ = 0;
  bool too_deep_ = false;
  bool lanes_alone_ = false;  // divergence is not looked at: one lane at a time
};

}  // namespace warpspan::ir
