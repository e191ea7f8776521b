// Weights of a certificate and what they make of the steps between patterns (certificate_bound.cpp has the theorem).
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "solver/certificate_steps.hpp"

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
      if (contexts_.empty() || symbol != automaton.contexts[c - 1].front()) contexts_.push_back(0);
      contexts_.back() |= ContextSet{1} << c;
      view_of_.push_back(contexts_.size() - 1);
    }
  }

  size_t size() const { return contexts_.size(); }
  size_t of_context(int context) const { return view_of_[static_cast<size_t>(context)]; }

  // Some worker is ready for the view's class. The followed worker is under way.
  bool is_busy(PatternKey pattern, size_t view) const {
    const ContextSet all = pattern.others | ContextSet{1} << pattern.followed;
    return (all & contexts_[view]) != 0;
  }

  // The view itself if it is busy, or the next one that is.
  size_t source(PatternKey pattern, size_t view) const {
    while (!is_busy(pattern, view)) view = (view + 1) % size();
    return view;
  }

  // The view counts after a step from `before` to `after`. At the end only the one of the class executed last does.
  bool counts(PatternKey before, PatternKey after, size_t view) const {
    return after.followed == finished ? view == of_context(before.followed) : is_busy(after, view);
  }

 private:
  std::vector<ContextSet> contexts_;  // of each view
  std::vector<size_t> view_of_;       // of each context
};

// The steps as each view weighs them.
template <typename Weight>
class WeighedSteps {
 public:
  WeighedSteps(const Automaton& automaton, const std::vector<int64_t>& servers)
      : automaton_(automaton), views_(automaton), tables_(views_.size(), StepTables<Weight>(automaton, servers)) {}

  const Views& views() const { return views_; }
  const CertificateWeights<Weight>& weights() const { return weights_; }

  void set_weights(CertificateWeights<Weight> weights) {
    weights_ = std::move(weights);
    for (size_t view = 0; view < views_.size(); ++view) {
      MoveWeights<Weight> of_view{weights_.other, weights_.followed};
      for (size_t i = 0; i < automaton_.moves.size(); ++i) {
        const auto& move = automaton_.moves[i];
        of_view.other[i] += offset(view, move.from) - (move.to == finished ? Weight{} : offset(view, move.to));
      }
      tables_[view].set_weights(std::move(of_view));
    }
  }

  // Calls visit(step) for every step after which the view counts.
  template <typename Visit>
  void for_each(PatternKey pattern, size_t view, Visit visit) const {
    const Weight change = change_of_view(pattern, view);
    tables_[view].for_each(pattern, [&](Step<Weight> step) {
      if (!views_.counts(pattern, step.next, view)) return;
      step.weight += change;
      visit(step);
    });
  }

 private:
  Weight offset(size_t view, int context) const { return weights_.offsets[view][static_cast<size_t>(context)]; }

  // What the others' offsets lose at least when the view's source gives way to it, where the losses are not negative.
  Weight change_of_view(PatternKey pattern, size_t view) const {
    const size_t source = views_.source(pattern, view);
    Weight change{};
    for (ContextSet rest = pattern.others; source != view && rest != 0; rest &= rest - 1) {
      const int context = __builtin_ctz(rest);
      change += offset(source, context) - offset(view, context);
    }
    return change;
  }

  const Automaton& automaton_;
  Views views_;
  CertificateWeights<Weight> weights_;
  std::vector<StepTables<Weight>> tables_;
};

}  // namespace warpspan::solver
