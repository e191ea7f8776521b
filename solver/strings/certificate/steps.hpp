// SPDX-License-Identifier: GPL-3.0-or-later
// The abstract steps from a pattern (certificate_bound.cpp), for given weights: of steps that lead to the same pattern
// only one of least weight.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/strings/certificate/class_steps.hpp"

namespace warpspan::solver {

// A step of the whole pattern, as the steps of its parts.
template <typename Weight>
struct Step {
  PatternKey next;
  Weight weight{};
  size_t choice = 0;       // number in the order of weigh()
  int followed_move = -1;  // -1: the analysed worker waits
  const std::vector<const ClassStep<Weight>*>* classes = nullptr;
};

// The steps from any pattern. Holds the steps of the classes for the weights given last, of type double or int64_t.
template <typename Weight>
class StepTables {
 public:
  // Contexts of one class: at most most_contexts_of_class, of all classes: at most 32.
  static constexpr size_t most_contexts_of_class = 8;

  // Both must outlive it.
  StepTables(const Automaton& automaton, const WorkerCounts& counts);

  void set_weights(StepWeights<Weight> weights);

  // Calls visit(step) for every step; a step's `classes` is valid only during the call. In the header with all that it
  // calls for each step, as a call through a pointer for each makes the search for a certificate a tenth slower.
  template <typename Visit>
  void for_each(const PatternKey& pattern, const Visit& visit) const {
    Lists lists;
    set_others_of_other_classes(pattern, lists);
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
        if (to != finished || next == 0) {  // the analysed worker finishes last
          tell_few(chosen, {to, next, 0}, [&](const PatternKey& key) {
            visit(Step<Weight>{key, sum, choice, move, &chosen});
          });
        }
        ++choice;
      }
    });
  }

  // The weights of all choices that the steps are made of, in order.
  void weigh(const PatternKey& pattern, std::vector<Weight>& weights) const;

 private:
  struct List {
    List() = default;
    explicit List(ClassSteps<Weight> of_class);
    ClassSteps<Weight> steps;
    std::vector<Weight> weights;  // of the steps
  };
  using Lists = std::vector<const List*>;
  using Chosen = std::vector<const ClassStep<Weight>*>;
  struct Row {
    bool is_made = false;
    List alone;              // the analysed worker is ready for another class
    List followed_executes;  // it is ready for this one and among those that execute
    List followed_waits;     // ... and not among them
  };

  const Row& row(size_t k, const PatternKey& pattern) const;
  Row made(size_t k, ContextSet occupied, bool few) const;
  void set_others_of_other_classes(const PatternKey& pattern, Lists& lists) const;
  void add_sums(std::vector<Weight>& weights) const;
  void append_sums(const std::vector<Weight>& weights) const;

  template <typename Emit>
  void combine(const Lists& lists, Chosen& chosen, size_t k, ContextSet next, Weight weight, const Emit& emit) const {
    if (k == lists.size()) return emit(next, weight);
    for (const ClassStep<Weight>& step : lists[k]->steps) {
      chosen[k] = &step;
      combine(lists, chosen, k + 1, next | step.next, weight + step.weight, emit);
    }
  }

  // What is known of the number of others after a step: how many stay behind is known only if none does.
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
  // Of weigh() at work.
  mutable Lists lists_;
  mutable std::vector<Weight> of_followed_, sums_, longer_;
};

}  // namespace warpspan::solver
