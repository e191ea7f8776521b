// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/certificate/steps.hpp"

#include <bit>
#include <cstdint>
#include <utility>

namespace warpspan::solver {

template <typename Weight>
StepTables<Weight>::List::List(ClassSteps<Weight> of_class) : steps(std::move(of_class)) {
  for (const ClassStep<Weight>& step : steps) weights.push_back(step.weight);
}

template <typename Weight>
StepTables<Weight>::StepTables(const Automaton& automaton, const WorkerCounts& counts)
    : automaton_(automaton), counts_(counts), moves_from_(automaton.contexts.size()) {
  for (size_t i = 0; i < automaton.moves.size(); ++i) {
    moves_from_[static_cast<size_t>(automaton.moves[i].from)].push_back(static_cast<int>(i));
  }
}

template <typename Weight>
void StepTables<Weight>::set_weights(StepWeights<Weight> weights) {
  weights_ = std::move(weights);
  tables_.assign(counts_.servers().size(), {});
  for (size_t k = 0; k < tables_.size(); ++k) {
    const size_t sets = counts_.of_class(k) == 0 ? 1 : size_t{1} << std::popcount(counts_.of_class(k));
    tables_[k].resize(sets << (counts_.counts(k) ? 1 : 0));
  }
}

template <typename Weight>
void StepTables<Weight>::weigh(const PatternKey& pattern, std::vector<Weight>& weights) const {
  weights.clear();
  set_others_of_other_classes(pattern, lists_);
  const size_t own = counts_.class_of(pattern.followed);
  lists_[own] = &row(own, pattern).followed_waits;
  of_followed_.assign(1, {});
  add_sums(weights);
  of_followed_.clear();
  for (const int move : moves_from_[static_cast<size_t>(pattern.followed)]) {
    of_followed_.push_back(weights_.followed[static_cast<size_t>(move)]);
  }
  lists_[own] = &row(own, pattern).followed_executes;
  add_sums(weights);
}

template <typename Weight>
const typename StepTables<Weight>::Row& StepTables<Weight>::row(size_t k, const PatternKey& pattern) const {
  const ContextSet of_class = counts_.of_class(k), occupied = pattern.others & of_class;
  const bool few = counts_.counts(k) && (pattern.few >> k & 1) != 0;
  const size_t set = of_class == 0 ? 0 : occupied >> std::countr_zero(of_class);
  Row& row = tables_[k][counts_.counts(k) ? set << 1 | (few ? 1 : 0) : set];
  if (!row.is_made) row = made(k, occupied, few);
  return row;
}

template <typename Weight>
typename StepTables<Weight>::Row StepTables<Weight>::made(size_t k, ContextSet occupied, bool few) const {
  if (occupied == 0) {
    const List nothing(ClassSteps<Weight>(1));
    return {true, nothing, nothing, {}};
  }
  const int64_t servers = counts_.servers()[k];
  const auto steps = [&](const Executing& executing) {
    return List(class_steps(automaton_, counts_, weights_, occupied, executing));
  };
  if (few) return {true, steps({servers - 1, {}}), steps({servers - 1, {}}), {}};
  if (counts_.counts(k)) return {true, steps({{}, servers}), steps({{}, servers - 1, true}), steps({{}, servers})};
  return {true, steps({servers - 1, servers}), steps({servers - 2, servers - 1}), steps({{}, servers})};
}

template <typename Weight>
void StepTables<Weight>::set_others_of_other_classes(const PatternKey& pattern, Lists& lists) const {
  lists.resize(tables_.size());
  for (size_t k = 0; k < lists.size(); ++k) lists[k] = &row(k, pattern).alone;
}

// Appends the sums of one weight of each of lists_ and one of of_followed_, in the order of combine().
template <typename Weight>
inline void StepTables<Weight>::add_sums(std::vector<Weight>& weights) const {
  sums_.assign(1, {});
  for (const List* list : lists_) append_sums(list->weights);
  append_sums(of_followed_);
  weights.insert(weights.end(), sums_.begin(), sums_.end());
}

template <typename Weight>
inline void StepTables<Weight>::append_sums(const std::vector<Weight>& weights) const {
  longer_.resize(sums_.size() * weights.size());
  Weight* next = longer_.data();
  for (const Weight sum : sums_) {
    for (const Weight weight : weights) *next++ = sum + weight;
  }
  sums_.swap(longer_);
}

template class StepTables<double>;
template class StepTables<int64_t>;

}  // namespace warpspan::solver
