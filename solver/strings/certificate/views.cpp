// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/certificate/views.hpp"

#include <cstdint>
#include <utility>

namespace warpspan::solver {

Views::Views(const Automaton& automaton) {
  for (size_t c = 0; c < automaton.contexts.size(); ++c) {
    const int symbol = automaton.contexts[c].front();
    if (contexts_.empty() || symbol != automaton.contexts[c - 1].front()) {
      contexts_.push_back(0);
      classes_.push_back(symbol);
    }
    contexts_.back() |= ContextSet{1} << c;
    view_of_.push_back(contexts_.size() - 1);
  }
  for (const Automaton::Move& move : automaton.moves) {
    if (move.to == finished) last_ = of_context(move.from);
  }
}

template <typename Weight>
WeighedSteps<Weight>::WeighedSteps(const Automaton& automaton, const WorkerCounts& counts)
    : automaton_(automaton),
      views_(automaton),
      tables_(views_.size() * views_.size(), StepTables<Weight>(automaton, counts)) {}

template <typename Weight>
void WeighedSteps<Weight>::set_weights(CertificateWeights<Weight> weights) {
  weights_ = std::move(weights);
  for (size_t source = 0; source < views_.size(); ++source) {
    for (size_t view = 0; view < views_.size(); ++view) {
      tables_[source * views_.size() + view].set_weights(between(source, view));
    }
  }
}

template <typename Weight>
Weight WeighedSteps<Weight>::offset(size_t view, int context) const {
  return context == finished ? Weight{} : weights_.offsets[view][static_cast<size_t>(context)];
}

// What is lost in a step from the source to the view; by those who stay at least that, where it is not negative.
template <typename Weight>
StepWeights<Weight> WeighedSteps<Weight>::between(size_t source, size_t view) const {
  StepWeights<Weight> lost{weights_.other, weights_.followed, {}};
  for (size_t i = 0; i < automaton_.moves.size(); ++i) {
    lost.other[i] += offset(source, automaton_.moves[i].from) - offset(view, automaton_.moves[i].to);
  }
  for (size_t c = 0; c < automaton_.contexts.size(); ++c) {
    lost.staying.push_back(offset(source, static_cast<int>(c)) - offset(view, static_cast<int>(c)));
  }
  return lost;
}

template class WeighedSteps<double>;
template class WeighedSteps<int64_t>;

}  // namespace warpspan::solver
