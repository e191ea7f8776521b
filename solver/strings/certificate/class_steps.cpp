// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/certificate/class_steps.hpp"

#include <algorithm>
#include <bit>
#include <compare>
#include <map>
#include <tuple>

namespace warpspan::solver {

namespace {

template <typename Weight>
class ClassStepSearch {
 public:
  ClassStepSearch(const Automaton& automaton, const WorkerCounts& counts, const StepWeights<Weight>& weights,
                  ContextSet occupied)
      : automaton_(automaton), counts_(counts), weights_(weights), occupied_(occupied) {
    for (size_t i = 0; i < automaton.moves.size(); ++i) {
      if ((occupied >> automaton.moves[i].from & 1) != 0) moves_.push_back(i);
    }
  }

  // Exactly `servers` others execute, from contexts each of which they may leave empty or not; `somebody_stays`: not
  // all of them.
  void add_exactly(int64_t servers, bool somebody_stays) {
    Partials partials = none_yet();
    const int64_t distinct = followed_one_by_one(servers);
    for (int64_t n = 0; n < distinct; ++n) partials = extended(partials);
    for (auto& [ends, partial] : partials) {
      if (somebody_stays && ends.left == occupied_) continue;
      Partial more = partial;
      if (servers > distinct) repeat_cheapest(more, ends.arrived, servers - distinct);
      keep(ends, more);
    }
  }

  // All others execute, at most `most`, and leave every context empty.
  void add_all(int64_t most) {
    Partials partials = none_yet();
    const int64_t distinct = followed_one_by_one(most);
    for (int64_t n = 0; n <= distinct; ++n) {
      for (const auto& [ends, partial] : partials) {
        if (ends.left != occupied_) continue;
        keep(ends, partial);
        if (n < distinct || most == distinct) continue;
        Partial more = partial;
        repeat_cheapest(more, ends.arrived, most - distinct);
        keep(ends, more);
      }
      if (n < distinct) partials = extended(partials);
    }
  }

  ClassSteps<Weight> take() {
    ClassSteps<Weight> steps;
    for (auto& [key, step] : best_) steps.push_back(std::move(step));
    return steps;
  }

 private:
  struct Ends {
    ContextSet left = 0;     // contexts left empty
    ContextSet arrived = 0;  // contexts moved to
    Arrivals arrivals = 0;
    friend auto operator<=>(const Ends&, const Ends&) = default;
  };
  using Partial = ClassStep<Weight>;
  using Partials = std::map<Ends, Partial>;

  static Partials none_yet() {
    Partials partials;
    partials[{}] = {};
    return partials;
  }

  // As many moves as it takes to leave every context and to reach every target; more only repeat the cheapest. Where
  // arrivals are counted there are few servers.
  int64_t followed_one_by_one(int64_t servers) const {
    if (counts_.counted() != 0) return servers;
    return std::min(servers, static_cast<int64_t>(2 * moves_.size()));
  }

  ContextSet target(size_t move) const {
    const int to = automaton_.moves[move].to;
    return to == finished ? 0 : ContextSet{1} << to;
  }

  static void add(Partial& partial, size_t move, Weight weight, int64_t times) {
    partial.weight += weight * static_cast<Weight>(times);
    for (auto& [known, count] : partial.executed) {
      if (known == static_cast<int>(move)) {
        count += times;
        return;
      }
    }
    partial.executed.push_back({static_cast<int>(move), times});
  }

  Partials extended(const Partials& partials) const {
    Partials longer;
    for (const auto& [ends, partial] : partials) {
      for (const size_t move : moves_) {
        const Weight weight = partial.weight + weights_.other[move];
        const ContextSet from = ContextSet{1} << automaton_.moves[move].from;
        const Arrivals arrivals = counts_.sum(ends.arrivals, counts_.arrival(automaton_.moves[move].to));
        for (const ContextSet left : {ends.left, ends.left | from}) {
          const auto [slot, is_new] = longer.try_emplace(Ends{left, ends.arrived | target(move), arrivals});
          if (!is_new && slot->second.weight <= weight) continue;
          slot->second = partial;
          add(slot->second, move, weights_.other[move], 1);
        }
      }
    }
    return longer;
  }

  // Adds `times` moves that lead to `arrived` or to the end.
  void repeat_cheapest(Partial& partial, ContextSet arrived, int64_t times) const {
    const size_t none = weights_.other.size();
    size_t cheapest = none;
    for (const size_t move : moves_) {
      if ((target(move) & ~arrived) != 0) continue;
      if (cheapest == none || weights_.other[move] < weights_.other[cheapest]) cheapest = move;
    }
    if (cheapest != none) add(partial, cheapest, weights_.other[cheapest], times);
  }

  void keep(const Ends& ends, Partial step) {
    step.stay = occupied_ & ~ends.left;
    step.next = step.stay | ends.arrived;
    step.arrivals = ends.arrivals;
    for (ContextSet rest = step.stay; rest != 0; rest &= rest - 1) {
      step.weight += weights_.staying[static_cast<size_t>(std::countr_zero(rest))];
    }
    if (occupied_ != 0 && counts_.counts(counts_.class_of(std::countr_zero(occupied_)))) {
      step.staying = std::popcount(step.stay);
    }
    const auto [slot, is_new] = best_.try_emplace({step.next, step.staying, step.arrivals}, step);
    if (!is_new && step.weight < slot->second.weight) slot->second = std::move(step);
  }

  const Automaton& automaton_;
  const WorkerCounts& counts_;
  const StepWeights<Weight>& weights_;
  ContextSet occupied_;
  std::vector<size_t> moves_;
  std::map<std::tuple<ContextSet, int64_t, Arrivals>, Partial> best_;
};

}  // namespace

template <typename Weight>
ClassSteps<Weight> class_steps(const Automaton& automaton, const WorkerCounts& counts,
                               const StepWeights<Weight>& weights, ContextSet occupied, const Executing& executing) {
  ClassStepSearch<Weight> search(automaton, counts, weights, occupied);
  if (executing.all) search.add_all(*executing.all);
  if (executing.exactly) search.add_exactly(*executing.exactly, executing.somebody_stays);
  return search.take();
}

template ClassSteps<double> class_steps(const Automaton&, const WorkerCounts&, const StepWeights<double>&, ContextSet,
                                        const Executing&);
template ClassSteps<int64_t> class_steps(const Automaton&, const WorkerCounts&, const StepWeights<int64_t>&, ContextSet,
                                         const Executing&);

}  // namespace warpspan::solver
