// The abstract steps from a pattern (certificate_bound.cpp), for given weights: of steps that lead to the same pattern
// only one of least weight.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "solver/certificate/worker_counts.hpp"

namespace warpspan::solver {

// What the workers lose in a step.
template <typename Weight>
struct StepWeights {
  std::vector<Weight> other;     // one per move: another worker that makes it
  std::vector<Weight> followed;  // one per move: the followed worker that makes it
  std::vector<Weight> staying;   // one per context: another worker that stays there
};

// What the others of one class do in a step.
template <typename Weight>
struct ClassStep {
  ContextSet next = 0;                            // where they stand afterwards
  int64_t staying = 0;                            // if the class is counted: how many stay behind at least
  Arrivals arrivals = 0;                          // at the classes that are counted
  Weight weight{};                                // of all they execute, and of one who stays in each context of `stay`
  ContextSet stay = 0;                            // contexts where somebody stays behind
  std::vector<std::pair<int, int64_t>> executed;  // moves and how often
};

template <typename Weight>
using ClassSteps = std::vector<ClassStep<Weight>>;

// The steps of the others of one class that stand in `occupied` (contexts of that class).
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

// A step of the whole pattern, as the steps of its parts.
template <typename Weight>
struct Step {
  PatternKey next;
  Weight weight{};
  size_t choice = 0;       // number in the order of weigh()
  int followed_move = -1;  // -1: the followed worker waits
  const std::vector<const ClassStep<Weight>*>* classes = nullptr;
};

// The steps from any pattern. Holds the steps of the classes for the weights given last.
template <typename Weight>
class StepTables {
 public:
  // Contexts of one class: at most most_contexts_of_class, of all classes: at most 32.
  static constexpr size_t most_contexts_of_class = 8;

  StepTables(const Automaton& automaton, const WorkerCounts& counts)
      : automaton_(automaton), counts_(counts), moves_from_(automaton.contexts.size()) {
    for (size_t i = 0; i < automaton.moves.size(); ++i) {
      moves_from_[static_cast<size_t>(automaton.moves[i].from)].push_back(static_cast<int>(i));
    }
  }

  void set_weights(StepWeights<Weight> weights) {
    weights_ = std::move(weights);
    tables_.assign(counts_.servers().size(), {});
    for (size_t k = 0; k < tables_.size(); ++k) {
      const size_t sets = counts_.of_class(k) == 0 ? 1 : size_t{1} << std::popcount(counts_.of_class(k));
      tables_[k].resize(sets << (counts_.counts(k) ? 1 : 0));
    }
  }

  // Calls visit(step) for every step; a step's `classes` is valid only during the call.
  template <typename Visit>
  void for_each(const PatternKey& pattern, Visit visit) const {
    Lists lists = others_of_other_classes(pattern);
    const size_t own = counts_.class_of(pattern.followed);
    Chosen chosen(lists.size());
    size_t choice = 0;
    lists[own] = &row(own, pattern).followed_waits;
    combine(lists, chosen, 0, 0, {}, [&](ContextSet next, Weight weight) {
      tell_few(chosen, {pattern.followed, next, 0}, [&](const PatternKey& key) {
        visit(Step<Weight>{key, weight, choice, -1, &chosen});
      });
      ++choice;
    });
    lists[own] = &row(own, pattern).followed_executes;
    combine(lists, chosen, 0, 0, {}, [&](ContextSet next, Weight weight) {
      for (const int move : moves_from_[static_cast<size_t>(pattern.followed)]) {
        const int to = automaton_.moves[static_cast<size_t>(move)].to;
        const Weight sum = weight + weights_.followed[static_cast<size_t>(move)];
        if (to != finished || next == 0) {  // the followed worker finishes last
          tell_few(chosen, {to, next, 0}, [&](const PatternKey& key) {
            visit(Step<Weight>{key, sum, choice, move, &chosen});
          });
        }
        ++choice;
      }
    });
  }

  // The weights of all choices that the steps are made of, in order.
  void weigh(const PatternKey& pattern, std::vector<Weight>& weights) const {
    weights.clear();
    Lists lists = others_of_other_classes(pattern);
    const size_t own = counts_.class_of(pattern.followed);
    lists[own] = &row(own, pattern).followed_waits;
    add_sums(lists, {Weight{}}, weights);
    std::vector<Weight> of_moves;
    for (const int move : moves_from_[static_cast<size_t>(pattern.followed)]) {
      of_moves.push_back(weights_.followed[static_cast<size_t>(move)]);
    }
    lists[own] = &row(own, pattern).followed_executes;
    add_sums(lists, of_moves, weights);
  }

 private:
  struct List {
    List() = default;
    explicit List(ClassSteps<Weight> of_class) : steps(std::move(of_class)) {
      for (const ClassStep<Weight>& step : steps) weights.push_back(step.weight);
    }
    ClassSteps<Weight> steps;
    std::vector<Weight> weights;  // of the steps
  };
  using Lists = std::vector<const List*>;
  using Chosen = std::vector<const ClassStep<Weight>*>;
  struct Row {
    bool is_made = false;
    List alone;              // the followed worker is ready for another class
    List followed_executes;  // it is ready for this one and among those that execute
    List followed_waits;     // ... and not among them
  };

  const Row& row(size_t k, const PatternKey& pattern) const {
    const ContextSet of_class = counts_.of_class(k), occupied = pattern.others & of_class;
    const bool few = counts_.counts(k) && (pattern.few >> k & 1) != 0;
    const size_t set = of_class == 0 ? 0 : occupied >> std::countr_zero(of_class);
    Row& row = tables_[k][counts_.counts(k) ? set << 1 | (few ? 1 : 0) : set];
    if (!row.is_made) row = made(k, occupied, few);
    return row;
  }

  Row made(size_t k, ContextSet occupied, bool few) const {
    const List nothing{ClassSteps<Weight>(1)};
    if (occupied == 0) return {true, nothing, nothing, {}};  // nobody there
    const int64_t servers = counts_.servers()[k];
    const auto steps = [&](auto add) {
      ClassStepSearch<Weight> search(automaton_, counts_, weights_, occupied);
      add(search);
      return List(search.take());
    };
    const auto all_few = [&](auto& search) { search.add_all(servers - 1); };
    const auto all_servers = [&](auto& search) { search.add_exactly(servers, false); };
    if (few) return {true, steps(all_few), steps(all_few), {}};
    if (counts_.counts(k)) {
      return {true, steps(all_servers), steps([&](auto& search) { search.add_exactly(servers - 1, true); }),
              steps(all_servers)};
    }
    const auto up_to = [&](int64_t most) {
      return steps([&](auto& search) {
        search.add_all(most - 1);
        search.add_exactly(most, false);
      });
    };
    return {true, up_to(servers), up_to(servers - 1), steps(all_servers)};
  }

  Lists others_of_other_classes(const PatternKey& pattern) const {
    Lists lists(tables_.size());
    for (size_t k = 0; k < lists.size(); ++k) lists[k] = &row(k, pattern).alone;
    return lists;
  }

  template <typename Emit>
  void combine(const Lists& lists, Chosen& chosen, size_t k, ContextSet next, Weight weight, const Emit& emit) const {
    if (k == lists.size()) return emit(next, weight);
    for (const ClassStep<Weight>& step : lists[k]->steps) {
      chosen[k] = &step;
      combine(lists, chosen, k + 1, next | step.next, weight + step.weight, emit);
    }
  }

  // Appends the sums of one weight of each list and one of the last ones, in the order of combine().
  void add_sums(const Lists& lists, const std::vector<Weight>& last, std::vector<Weight>& weights) const {
    sums_.assign(1, {});
    for (const List* list : lists) append_sums(list->weights);
    append_sums(last);
    weights.insert(weights.end(), sums_.begin(), sums_.end());
  }

  void append_sums(const std::vector<Weight>& weights) const {
    longer_.resize(sums_.size() * weights.size());
    Weight* next = longer_.data();
    for (const Weight sum : sums_) {
      for (const Weight weight : weights) *next++ = sum + weight;
    }
    sums_.swap(longer_);
  }

  // What can be told of the number of others after a step: how many stay behind is known only if nobody does.
  template <typename Emit>
  void tell_few(const Chosen& chosen, PatternKey key, const Emit& emit) const {
    ClassSet unsure = 0;
    if (counts_.counted() != 0 && key.others != 0) {
      Arrivals arrivals = 0;
      for (const ClassStep<Weight>* step : chosen) arrivals = counts_.sum(arrivals, step->arrivals);
      for (ClassSet rest = counts_.counted(); rest != 0; rest &= rest - 1) {
        const auto k = static_cast<size_t>(std::countr_zero(rest));
        const int64_t staying = chosen[k]->staying, least = staying + counts_.at(arrivals, k);
        if (least == 0 || least >= counts_.servers()[k]) continue;
        (staying > 0 ? unsure : key.few) |= ClassSet{1} << k;
      }
    }
    const ClassSet sure = key.few;
    ClassSet chosen_few = unsure;
    while (true) {
      key.few = sure | chosen_few;
      if (counts_.is_possible(key)) emit(key);
      if (chosen_few == 0) return;
      chosen_few = (chosen_few - 1) & unsure;
    }
  }

  const Automaton& automaton_;
  const WorkerCounts& counts_;
  std::vector<std::vector<int>> moves_from_;
  StepWeights<Weight> weights_;
  mutable std::vector<std::vector<Row>> tables_;  // made when first needed
  mutable std::vector<Weight> sums_, longer_;     // at work
};

}  // namespace warpspan::solver
