// SPDX-License-Identifier: GPL-3.0-or-later
// Weights of a certificate and what they make of the steps between patterns (certificate_bound.cpp has the theorem).
#pragma once

#include <cstddef>
#include <vector>

#include "solver/strings/certificate/steps.hpp"

namespace warpspan::solver {

// Weights in floating point, or exact: multiples of a denominator.
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
  explicit Views(const Automaton& automaton);

  size_t size() const { return contexts_.size(); }
  size_t of_context(int context) const { return view_of_[static_cast<size_t>(context)]; }

  // Some worker is ready for the view's class. The analysed worker is under way.
  bool is_busy(const PatternKey& pattern, size_t view) const {
    const ContextSet all = pattern.others | ContextSet{1} << pattern.followed;
    return (all & contexts_[view]) != 0;
  }

  // The first view, from the given one on, whose servers are all taken by others if the analysed worker waits; or the
  // first one that is busy.
  // In the header, as each sweep asks it for each pattern.
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

// The steps as each view weighs them, with weights of type double or int64_t.
template <typename Weight>
class WeighedSteps {
 public:
  // Both must outlive it.
  WeighedSteps(const Automaton& automaton, const WorkerCounts& counts);

  const Views& views() const { return views_; }
  const CertificateWeights<Weight>& weights() const { return weights_; }

  void set_weights(CertificateWeights<Weight> weights);

  // The steps as they are weighed if the view counts after them.
  const StepTables<Weight>& to_view(const PatternKey& pattern, size_t view) const {
    return tables_[views_.source(pattern, view) * views_.size() + view];
  }

 private:
  Weight offset(size_t view, int context) const;
  StepWeights<Weight> between(size_t source, size_t view) const;

  const Automaton& automaton_;
  Views views_;
  CertificateWeights<Weight> weights_;
  std::vector<StepTables<Weight>> tables_;  // for each source and each view
};

}  // namespace warpspan::solver
