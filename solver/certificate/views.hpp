// Weights of a certificate and what they make of the steps between patterns (certificate_bound.cpp has the theorem).
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "solver/certificate/steps.hpp"

namespace warpspan::solver {

template <typename Weight>
struct CertificateWeights {
  std::vector<Weight> other;                 // one per move
  std::vector<Weight> followed;              // one per move
  std::vector<std::vector<Weight>> offsets;  // of each view, one per context
};

// Which views count in a pattern, and from which view a step into another one starts.
class Views {
 public:
  // One view for each class of the contexts, in ascending order.
  explicit Views(const Automaton& automaton) {
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

  size_t size() const { return contexts_.size(); }
  size_t of_context(int context) const { return view_of_[static_cast<size_t>(context)]; }

  // Some worker is ready for the view's class. The followed worker is under way.
  bool is_busy(const PatternKey& pattern, size_t view) const {
    const ContextSet all = pattern.others | ContextSet{1} << pattern.followed;
    return (all & contexts_[view]) != 0;
  }

  // The first view, from the given one on, whose servers are all taken by others if the followed worker waits; or the
  // first one that is busy.
  size_t source(const PatternKey& pattern, size_t view) const {
    for (size_t i = 0; i < size(); ++i) {
      const size_t source = (view + i) % size();
      if (is_busy(pattern, source) && (pattern.few >> classes_[source] & 1) == 0) return source;
    }
    while (!is_busy(pattern, view)) view = (view + 1) % size();
    return view;
  }

  // The view of the class that is executed last. At the end only that counts.
  size_t last() const { return last_; }

 private:
  std::vector<ContextSet> contexts_;  // of each view
  std::vector<int> classes_;
  std::vector<size_t> view_of_;  // of each context
  size_t last_ = 0;
};

// The steps as each view weighs them.
template <typename Weight>
class WeighedSteps {
 public:
  WeighedSteps(const Automaton& automaton, const WorkerCounts& counts)
      : automaton_(automaton),
        views_(automaton),
        tables_(views_.size() * views_.size(), StepTables<Weight>(automaton, counts)) {}

  const Views& views() const { return views_; }
  const CertificateWeights<Weight>& weights() const { return weights_; }

  void set_weights(CertificateWeights<Weight> weights) {
    weights_ = std::move(weights);
    for (size_t source = 0; source < views_.size(); ++source) {
      for (size_t view = 0; view < views_.size(); ++view) {
        tables_[source * views_.size() + view].set_weights(between(source, view));
      }
    }
  }

  // The steps as they are weighed if the view counts after them.
  const StepTables<Weight>& to_view(const PatternKey& pattern, size_t view) const {
    return tables_[views_.source(pattern, view) * views_.size() + view];
  }

 private:
  Weight offset(size_t view, int context) const {
    return context == finished ? Weight{} : weights_.offsets[view][static_cast<size_t>(context)];
  }

  // What is lost in a step from the source to the view; by those who stay at least that, where it is not negative.
  StepWeights<Weight> between(size_t source, size_t view) const {
    StepWeights<Weight> lost{weights_.other, weights_.followed, {}};
    for (size_t i = 0; i < automaton_.moves.size(); ++i) {
      lost.other[i] += offset(source, automaton_.moves[i].from) - offset(view, automaton_.moves[i].to);
    }
    for (size_t c = 0; c < automaton_.contexts.size(); ++c) {
      lost.staying.push_back(offset(source, static_cast<int>(c)) - offset(view, static_cast<int>(c)));
    }
    return lost;
  }

  const Automaton& automaton_;
  Views views_;
  CertificateWeights<Weight> weights_;
  std::vector<StepTables<Weight>> tables_;  // for each source and each view
};

}  // namespace warpspan::solver
