// SPDX-License-Identifier: GPL-3.0-or-later
// The worst-case path through a kernel's flow graph.
//
// Walk folds a flow graph with its flow facts into one value: it visits blocks in the order a warp can execute them and
// lets an Algebra say what executing means: counting, timing, writing down a string. All analyses of a kernel share
// this one reading of control flow:
//   - A uniform branch takes one successor: states are joined where paths come to the same block. No path leads to a
//     block that no thread executes.
//   - A divergent branch takes all its successors, one after another in an unknown order, until the lanes reconverge at
//     the branch's immediate post-dominator. A path without blocks costs nothing, so guarded code, or lanes that wait
//     outside a loop they have left, cost what the others execute. Paths may share blocks, divide again, and so come to
//     more groups of lanes than there are lanes (LaneGroups::crowded): then the whole costs at most what each of the 32
//     lanes would need alone, one after another. An algebra may have run_lane for that: what a block costs one lane
//     alone; a group of k lanes that executes it needs k times as much at most.
//   - A loop runs its body trip_count - 1 times back to its header, and then from the header out. Where lanes may be in
//     different iterations (LaneGroups::lanes_may_desynchronize) the loop, up to where they have reconverged, costs
//     what each of the 32 lanes would need alone.
//   - Lanes that leave a loop by a divergent branch, and come to where the branch reconverges, outside of the loop, or
//     end, wait there for the others. So each does that once while its warp is in the loop: however many iterations
//     there are, no more than 32 groups take such ways out, and the costliest of these counts so often, behind the
//     loop. That is the same for what runs at an unknown place, everything over before it and after it; an algebra for
//     which the order matters says so (in_order), and has each way out in each iteration.
//   - A function with one body for several calls costs in each call what its body costs by itself.
//   - Where lanes may part without a branch (Flow::lanes_part) all costs what each of the 32 lanes would need alone.
// Assumption: diverged lanes reconverge at the immediate post-dominator at the latest, once all of them have arrived.
//
// Requires: every reachable loop has a trip count; flow facts of the same kernel.
// Cost: what is evaluated by itself (paths from divergent branches, bodies of functions) is evaluated once; an
// iteration of a loop once for each state in which it begins, and never for more than most_states of them.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "ir/lane_groups.hpp"
#include "ir/sizes.hpp"

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
    a.serialize(s, s, times)
    } -> std::same_as<typename A::State>;  // after s: `times` runs of a region, each evaluated
                                           // by itself from start(), in an unknown order
  // What of a state matters to what comes after it, as a state without a past: what follows from s is
  // after(s, what follows from without_past(s)).
  { a.without_past(s) } -> std::same_as<typename A::State>;
  { a.after(s, s) } -> std::same_as<typename A::State>;
  { a.same(s, s) } -> std::same_as<bool>;  // whether two states without a past are equal
};

inline constexpr int deepest_nest = 1000;
inline constexpr size_t most_states = 257;

template <Algebra A>
class Walk {
 public:
  using State = typename A::State;

  Walk(const Kernel& kernel, const Flow& flow, const A& algebra)
      : kernel_(kernel),
        flow_(flow),
        algebra_(algebra),
        groups_(lane_groups_of(kernel, flow)),
        rank_(kernel.blocks.size()) {
    for (size_t i = 0; i < flow.order.size(); ++i) rank_[flow.order[i]] = static_cast<uint32_t>(i);
    for (auto& iterations : iterations_) iterations.resize(flow.loops.size());
    departures_.resize(flow.loops.size());
  }

  // The state when a warp has ended, or nothing if it never ends or loops are nested deeper than deepest_nest.
  std::optional<State> run() {
    for (const Function& function : kernel_.functions) {
      for (const Mode mode : {Mode::lane, Mode::warp}) {
        mode_ = mode;
        bodies_[index(mode)].push_back(end_of(by_itself(function.entry, no_block, no_loop)));
      }
    }
    if (flow_.lanes_part) {
      mode_ = Mode::lane;
      const std::optional<State> lane = end_of(by_itself(0, no_block, no_loop));
      return lane ? std::optional<State>(algebra_.serialize(algebra_.start(), *lane, warp_lanes)) : std::nullopt;
    }
    evaluate_successors();
    return end_of(run_until(0, no_block, no_loop, algebra_.start()));
  }

 private:
  // Where control leaves a region, and the state there; no_block: the kernel or the function ends.
  using Outcomes = std::map<BlockId, State>;
  // Whether a whole warp is analysed, or one lane of it, for which no branch is divergent.
  enum class Mode : uint8_t { warp, lane };
  static constexpr size_t index(Mode mode) { return static_cast<size_t>(mode); }

  std::optional<State> end_of(const Outcomes& outcomes) const {
    const auto end = outcomes.find(no_block);
    return too_deep_ || end == outcomes.end() ? std::nullopt : std::optional<State>(end->second);
  }

  template <typename Key>
  void add(std::map<Key, State>& states, Key key, State state) const {
    const auto [known, fresh] = states.try_emplace(key, std::move(state));
    if (!fresh) known->second = algebra_.join(known->second, state);
  }

  // By falling rank: every edge but back edges goes from a lower to a higher one.
  using Pending = std::vector<std::pair<uint32_t, State>>;
  void add_pending(Pending& pending, uint32_t rank, State state) const {
    auto place = pending.end();
    while (place != pending.begin() && std::prev(place)->first < rank) --place;
    if (place == pending.begin() || std::prev(place)->first != rank) {
      pending.emplace(place, rank, std::move(state));
    } else {
      --place;
      place->second = algebra_.join(place->second, state);
    }
  }

  // From `entry`, which is directly in `level` or the header of a loop in it, until control reaches `stop`, takes a
  // back edge to level's header, leaves level, or ends.
  Outcomes run_region(BlockId entry, BlockId stop, LoopId level, const State& state) {
    Outcomes out;
    if (++depth_ > deepest_nest) too_deep_ = true;
    Pending pending;
    const auto flow_to = [&](BlockId target, State s) {
      const bool back = level != no_loop && target == flow_.loops[level].header;
      if (target == no_block || target == stop || back || !contains(flow_, level, target)) {
        add(out, target, std::move(s));
      } else {
        add_pending(pending, rank_[target], std::move(s));
      }
    };
    add_pending(pending, rank_[entry], state);
    while (!pending.empty() && !too_deep_) {
      const BlockId block = flow_.order[pending.back().first];
      State before = std::move(pending.back().second);
      pending.pop_back();
      if (flow_.blocks[block].loop == level) {
        run_block(block, level, std::move(before), flow_to);
      } else {
        for (auto& [target, s] : run_loop(child_of(level, block), before)) flow_to(target, std::move(s));
      }
    }
    --depth_;
    return out;
  }

  // The loop directly in `level` that contains the block.
  LoopId child_of(LoopId level, BlockId block) const {
    LoopId loop = flow_.blocks[block].loop;
    while (flow_.loops[loop].parent != level) loop = flow_.loops[loop].parent;
    return loop;
  }

  // Of one lane the algebra may know less than of a warp.
  State run_once(State before, BlockId block) const {
    if constexpr (requires { algebra_.run_lane(std::move(before), block); }) {
      if (mode_ == Mode::lane) return algebra_.run_lane(std::move(before), block);
    }
    return algebra_.run(std::move(before), block);
  }

  // Calls flow_to(target, state) for each successor, once.
  template <typename FlowTo>
  void run_block(BlockId block, LoopId level, State before, const FlowTo& flow_to) {
    State after = run_once(std::move(before), block);
    if (const FunctionId callee = kernel_.blocks[block].callee; callee != no_function) {
      const std::optional<State>& body = bodies_[index(mode_)][callee];
      if (!body) return;  // it never returns
      after = algebra_.serialize(after, *body, 1);
    }
    if (mode_ == Mode::warp && runs_apart(kernel_, flow_, block)) {
      run_successors(block, level, after, flow_to);
    } else {
      flow_to_all(successors_of(kernel_, flow_, block), std::move(after), flow_to);
    }
  }

  template <typename FlowTo>
  static void flow_to_all(std::vector<BlockId> targets, State state, const FlowTo& flow_to) {
    std::sort(targets.begin(), targets.end());
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    if (targets.empty()) return;
    for (size_t i = 0; i + 1 < targets.size(); ++i) flow_to(targets[i], state);
    flow_to(targets.back(), std::move(state));
  }

  template <typename FlowTo>
  void run_successors(BlockId block, LoopId level, const State& after, const FlowTo& flow_to) {
    const BlockId reconvergence = flow_.blocks[block].reconvergence;
    const bool crowded = groups_->crowded[block];
    State all = after;
    std::optional<State> worst_lane;
    std::vector<BlockId> targets;
    for (const BlockId successor : successors_of(kernel_, flow_, block)) {
      const Mode outer = std::exchange(mode_, crowded ? Mode::lane : Mode::warp);
      const Outcomes& side = by_itself(successor, reconvergence, level);
      mode_ = outer;
      std::optional<State> worst = crowded ? worst_lane : std::nullopt;
      for (const auto& [target, s] : side) {
        worst = worst ? algebra_.join(*worst, s) : s;
        targets.push_back(target);
      }
      if (crowded) {
        worst_lane = worst;
      } else if (worst && is_departure(level, reconvergence, side)) {
        std::optional<State>& departure = departures_[level];
        departure = departure ? algebra_.join(*departure, *worst) : worst;
      } else if (worst) {
        all = algebra_.serialize(all, *worst, 1);
      }
    }
    if (worst_lane) all = algebra_.serialize(all, *worst_lane, warp_lanes);
    flow_to_all(std::move(targets), std::move(all), flow_to);
  }

  // Whether what lanes do behind a successor is counted by lanes, not by iterations of the loop.
  bool is_departure(LoopId level, BlockId reconvergence, const Outcomes& side) const {
    if constexpr (requires { A::in_order; }) return false;
    if (level == no_loop || flow_.loops[level].trip_count.value_or(1) <= warp_lanes) return false;
    if (reconvergence != no_block && contains(flow_, level, reconvergence)) return false;
    return std::all_of(side.begin(), side.end(), [&](const auto& outcome) {
      return outcome.first == no_block || outcome.first == reconvergence;
    });
  }

  // What lies between a block and where control stops, evaluated by itself: its value depends on nothing before it.
  const Outcomes& by_itself(BlockId entry, BlockId stop, LoopId level) {
    const auto key = std::make_tuple(mode_, entry, stop, level);
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    Outcomes outcomes = run_until(entry, stop, level, algebra_.start());
    return known_.emplace(key, std::move(outcomes)).first->second;
  }

  // The successors of all divergent branches, later blocks first, so that no evaluation waits for a chain of others.
  void evaluate_successors() {
    mode_ = Mode::warp;
    for (auto block = flow_.order.rbegin(); block != flow_.order.rend() && !too_deep_; ++block) {
      if (!runs_apart(kernel_, flow_, *block) || groups_->crowded[*block] ||
          is_desynchronized(flow_.blocks[*block].loop))
        continue;
      for (const BlockId successor : successors_of(kernel_, flow_, *block)) {
        by_itself(successor, flow_.blocks[*block].reconvergence, flow_.blocks[*block].loop);
      }
    }
  }

  bool is_desynchronized(LoopId loop) const {
    while (loop != no_loop && !groups_->lanes_may_desynchronize[loop]) loop = flow_.loops[loop].parent;
    return loop != no_loop;
  }

  // As run_region, but leaves loops behind until control is at `stop`, at the header of a loop that contains `level`,
  // or at the end: lanes that have left a loop go on by themselves to where all reconverge.
  Outcomes run_until(BlockId entry, BlockId stop, LoopId level, const State& state) {
    Outcomes out;
    std::map<std::pair<uint32_t, BlockId>, State> open;
    const auto add_state = [&](BlockId target, const State& s) {
      if (target == no_block || target == stop || is_header_around(level, target)) {
        add(out, target, s);
      } else {
        add(open, std::make_pair(rank_[target], target), s);
      }
    };
    add_state(entry, state);
    while (!open.empty() && !too_deep_) {
      const BlockId from = open.begin()->first.second;
      const State s = std::move(open.begin()->second);
      open.erase(open.begin());
      LoopId around = level;
      while (!contains(flow_, around, from)) around = flow_.loops[around].parent;
      for (const auto& [target, next] : run_region(from, stop, around, s)) add_state(target, next);
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
    if (mode_ == Mode::warp && groups_->lanes_may_desynchronize[loop]) return run_lanes(loop, before);
    const BlockId header = flow_.loops[loop].header;
    const auto body = [&](const State& s) {
      const Outcomes iteration = run_iteration(loop, s);
      const auto back = iteration.find(header);
      return back == iteration.end() ? s : back->second;
    };
    const int64_t trips = flow_.loops[loop].trip_count.value_or(1);
    Outcomes last = run_iteration(loop, algebra_.repeat(before, body, trips - 1));
    last.erase(header);
    if (const std::optional<State>& departure = departures_[loop]; mode_ == Mode::warp && departure) {
      for (auto& [target, s] : last) s = algebra_.serialize(s, *departure, warp_lanes);
    }
    return last;
  }

  // From the header until control is there again, leaves the loop, or ends.
  Outcomes run_iteration(LoopId loop, const State& before) {
    State from = algebra_.without_past(before);
    std::deque<Iteration>& iterations = iterations_[index(mode_)][loop];
    const auto begins = [&](const Iteration& iteration) { return algebra_.same(iteration.from, from); };
    auto iteration = std::find_if(iterations.begin(), iterations.end(), begins);
    const bool by_itself = iteration == iterations.end() && iterations.size() >= most_states;
    if (by_itself) {
      from = algebra_.start();
      iteration = std::find_if(iterations.begin(), iterations.end(), begins);
    }
    if (iteration == iterations.end()) {
      Outcomes outcomes = run_region(flow_.loops[loop].header, no_block, loop, from);
      iterations.push_back({std::move(from), std::move(outcomes)});
      iteration = std::prev(iterations.end());
    }
    Outcomes out;
    for (const auto& [target, s] : iteration->outcomes) {
      out.emplace(target, by_itself ? algebra_.serialize(before, s, 1) : algebra_.after(before, s));
    }
    return out;
  }

  // The loop and what follows up to where all lanes have reconverged, for each lane alone.
  Outcomes run_lanes(LoopId loop, const State& before) {
    const LoopId level = flow_.loops[loop].parent;
    BlockId reconvergence = flow_.loops[loop].header;
    while (reconvergence != no_block && contains(flow_, loop, reconvergence))
      reconvergence = flow_.blocks[reconvergence].reconvergence;
    mode_ = Mode::lane;
    const Outcomes& alone = by_itself(flow_.loops[loop].header, reconvergence, level);
    mode_ = Mode::warp;
    Outcomes out;
    for (const auto& [target, s] : alone) out.emplace(target, algebra_.serialize(before, s, warp_lanes));
    return out;
  }

  struct Iteration {
    State from;  // without a past
    Outcomes outcomes;
  };

  const Kernel& kernel_;
  const Flow& flow_;
  const A& algebra_;
  const std::shared_ptr<const LaneGroups> groups_;
  std::vector<uint32_t> rank_;
  Mode mode_ = Mode::warp;
  std::array<std::vector<std::optional<State>>, 2> bodies_;       // by Mode, of functions
  std::array<std::vector<std::deque<Iteration>>, 2> iterations_;  // by Mode, of loops
  std::map<std::tuple<Mode, BlockId, BlockId, LoopId>, Outcomes> known_;
  std::vector<std::optional<State>> departures_;  // by loop: the worse of all
  int depth_ = 0;
  bool too_deep_ = false;
};

}  // namespace warpspan::ir
