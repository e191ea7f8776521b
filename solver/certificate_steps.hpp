// The abstract steps from a pattern (certificate_bound.cpp), for given weights: of steps that lead to the same pattern
// only one of least weight.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "solver/certificate_contexts.hpp"

namespace warpspan::solver {

using ContextSet = uint32_t;

template <typename Weight>
struct MoveWeights {
  std::vector<Weight> other;     // one per move
  std::vector<Weight> followed;  // one per move
};

// What the others of one class do in a step.
template <typename Weight>
struct ClassStep {
  ContextSet next = 0;                            // where they stand afterwards
  Weight weight{};                                // of all they execute
  std::vector<std::pair<int, int64_t>> executed;  // moves and how often
};

template <typename Weight>
using ClassSteps = std::vector<ClassStep<Weight>>;  // ascending by next

// The steps of the others of one class that stand in `occupied` (contexts of that class). A step executes `servers`
// moves, from contexts each of which it may leave empty or not. If `may_be_fewer` there are also the steps of fewer
// workers than that, which execute all there are and leave every context empty.
template <typename Weight>
class ClassStepSearch {
 public:
  ClassStepSearch(const Automaton& automaton, const std::vector<Weight>& weights, ContextSet occupied)
      : automaton_(automaton), weights_(weights), occupied_(occupied) {
    for (size_t i = 0; i < automaton.moves.size(); ++i) {
      if ((occupied >> automaton.moves[i].from & 1) != 0) moves_.push_back(i);
    }
  }

  ClassSteps<Weight> run(int64_t servers, bool may_be_fewer) {
    Partials partials;
    partials[{0, 0}] = {};
    // As many moves as it takes to leave every context and to reach every target; more only repeat the cheapest.
    const int64_t distinct = std::min(servers, static_cast<int64_t>(2 * moves_.size()));
    for (int64_t n = 0; n < distinct; ++n) {
      if (may_be_fewer) keep_those_that_leave_all(partials, 0);
      partials = extended(partials);
    }
    const int64_t rest = servers - distinct;
    for (auto& [ends, partial] : partials) {
      Partial more = partial;
      if (rest > 0) repeat_cheapest(more, ends.arrived, rest);
      keep((occupied_ & ~ends.left) | ends.arrived, more);
    }
    if (may_be_fewer && rest > 0) keep_those_that_leave_all(partials, rest - 1);
    ClassSteps<Weight> steps;
    for (auto& [next, step] : best_) steps.push_back(std::move(step));
    return steps;
  }

 private:
  struct Ends {
    ContextSet left = 0;     // contexts left empty
    ContextSet arrived = 0;  // contexts moved to
    friend auto operator<=>(const Ends&, const Ends&) = default;
  };
  using Partial = ClassStep<Weight>;
  using Partials = std::map<Ends, Partial>;

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
        const Weight weight = partial.weight + weights_[move];
        const ContextSet from = ContextSet{1} << automaton_.moves[move].from;
        for (const ContextSet left : {ends.left, ends.left | from}) {
          const auto [slot, is_new] = longer.try_emplace(Ends{left, ends.arrived | target(move)});
          if (!is_new && slot->second.weight <= weight) continue;
          slot->second = partial;
          add(slot->second, move, weights_[move], 1);
        }
      }
    }
    return longer;
  }

  // Adds `times` moves that lead to `arrived` or to the end.
  void repeat_cheapest(Partial& partial, ContextSet arrived, int64_t times) const {
    const size_t none = weights_.size();
    size_t cheapest = none;
    for (const size_t move : moves_) {
      if ((target(move) & ~arrived) == 0 && (cheapest == none || weights_[move] < weights_[cheapest])) cheapest = move;
    }
    if (cheapest != none) add(partial, cheapest, weights_[cheapest], times);
  }

  // Those among them that leave every context, with up to `most_more` further moves if these make them cheaper.
  void keep_those_that_leave_all(const Partials& partials, int64_t most_more) {
    for (const auto& [ends, partial] : partials) {
      if (ends.left != occupied_) continue;
      keep(ends.arrived, partial);
      if (most_more == 0) continue;
      Partial more = partial;
      repeat_cheapest(more, ends.arrived, most_more);
      keep(ends.arrived, more);
    }
  }

  void keep(ContextSet next, const Partial& partial) {
    const auto [slot, is_new] = best_.try_emplace(next, partial);
    if (is_new || partial.weight < slot->second.weight) slot->second = partial;
    slot->second.next = next;
  }

  const Automaton& automaton_;
  const std::vector<Weight>& weights_;
  ContextSet occupied_;
  std::vector<size_t> moves_;
  std::map<ContextSet, Partial> best_;
};

struct PatternKey {
  int followed = 0;  // context, or finished
  ContextSet others = 0;
};

// A step of the whole pattern, as the steps of its parts.
template <typename Weight>
struct Step {
  PatternKey next;
  Weight weight{};
  int followed_move = -1;  // -1: the followed worker waits
  const std::vector<const ClassStep<Weight>*>* classes = nullptr;
};

// The steps from any pattern. Holds the steps of the classes for the weights given last.
template <typename Weight>
class StepTables {
 public:
  // Contexts of one class: at most most_contexts_of_class, of all classes: at most 32.
  static constexpr size_t most_contexts_of_class = 8;

  StepTables(const Automaton& automaton, const std::vector<int64_t>& servers)
      : automaton_(automaton), servers_(servers), of_class_(servers.size()), moves_from_(automaton.contexts.size()) {
    for (size_t c = 0; c < automaton.contexts.size(); ++c) {
      of_class_[class_of(static_cast<int>(c))] |= ContextSet{1} << c;
    }
    for (size_t i = 0; i < automaton.moves.size(); ++i) {
      moves_from_[static_cast<size_t>(automaton.moves[i].from)].push_back(static_cast<int>(i));
    }
  }

  void set_weights(MoveWeights<Weight> weights) {
    weights_ = std::move(weights);
    tables_.assign(servers_.size(), {});
    for (size_t k = 0; k < servers_.size(); ++k) {
      if (of_class_[k] == 0) {
        tables_[k].resize(1, {none(), none(), {}});
        continue;
      }
      const int offset = __builtin_ctz(of_class_[k]);
      const ContextSet all = of_class_[k] >> offset;
      for (ContextSet occupied = 0; occupied <= all; ++occupied) tables_[k].push_back(rows(k, occupied << offset));
    }
  }

  const MoveWeights<Weight>& weights() const { return weights_; }

  // Calls visit(step) for every step; a step's `classes` is valid only during the call.
  template <typename Visit>
  void for_each(PatternKey pattern, Visit visit) const {
    const size_t own = class_of(pattern.followed);
    Lists lists(servers_.size());
    for (size_t k = 0; k < servers_.size(); ++k) lists[k] = &row(k, pattern.others).alone;
    lists[own] = &row(own, pattern.others).followed_waits;
    Chosen chosen(servers_.size());
    combine(lists, chosen, 0, 0, {}, [&](ContextSet next, Weight weight) {
      visit(Step<Weight>{{pattern.followed, next}, weight, -1, &chosen});
    });
    lists[own] = &row(own, pattern.others).followed_executes;
    combine(lists, chosen, 0, 0, {}, [&](ContextSet next, Weight weight) {
      for (const int move : moves_from_[static_cast<size_t>(pattern.followed)]) {
        const int to = automaton_.moves[static_cast<size_t>(move)].to;
        if (to == finished && next != 0) continue;  // the followed worker finishes last
        visit(Step<Weight>{{to, next}, weight + weights_.followed[static_cast<size_t>(move)], move, &chosen});
      }
    });
  }

 private:
  using List = ClassSteps<Weight>;
  using Lists = std::vector<const List*>;
  using Chosen = std::vector<const ClassStep<Weight>*>;
  struct Row {
    List alone;              // the followed worker is ready for another class
    List followed_executes;  // it is ready for this one and among those that execute
    List followed_waits;     // ... and not among them
  };

  static List none() { return List(1); }  // nobody there

  size_t class_of(int context) const {
    return static_cast<size_t>(automaton_.contexts[static_cast<size_t>(context)].front());
  }

  const Row& row(size_t k, ContextSet others) const {
    if (of_class_[k] == 0) return tables_[k].front();
    return tables_[k][(others & of_class_[k]) >> __builtin_ctz(of_class_[k])];
  }

  Row rows(size_t k, ContextSet occupied) const {
    const auto steps = [&](int64_t servers, bool may_be_fewer) {
      return ClassStepSearch<Weight>(automaton_, weights_.other, occupied).run(servers, may_be_fewer);
    };
    if (occupied == 0) return {none(), none(), {}};
    return {steps(servers_[k], true), steps(servers_[k] - 1, true), steps(servers_[k], false)};
  }

  template <typename Emit>
  void combine(const Lists& lists, Chosen& chosen, size_t k, ContextSet next, Weight weight, const Emit& emit) const {
    if (k == lists.size()) return emit(next, weight);
    for (const ClassStep<Weight>& step : *lists[k]) {
      chosen[k] = &step;
      combine(lists, chosen, k + 1, next | step.next, weight + step.weight, emit);
    }
  }

  const Automaton& automaton_;
  const std::vector<int64_t>& servers_;
  std::vector<ContextSet> of_class_;
  std::vector<std::vector<int>> moves_from_;
  MoveWeights<Weight> weights_;
  std::vector<std::vector<Row>> tables_;
};

}  // namespace warpspan::solver
