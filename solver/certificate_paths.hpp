// Longest paths through the patterns and their views.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "solver/certificate_views.hpp"

namespace warpspan::solver {

// Steps in a row: how many, and how often each move is made in them.
struct Walk {
  int64_t steps = 0;
  CertificateWeights<int64_t> made;  // how often each weight counts in them
};

// The patterns that schedules can meet from the start on.
class PatternGraph {
 public:
  static constexpr size_t none = SIZE_MAX;
  static constexpr size_t start = 0;

  // Nothing if there are more than `most_patterns`, or more than `most_steps` steps between them.
  template <typename Weight>
  static std::optional<PatternGraph> make(const Automaton& automaton, const StepTables<Weight>& tables,
                                          size_t most_patterns, size_t most_steps) {
    PatternGraph graph(automaton.contexts.size());
    graph.add({automaton.start, ContextSet{1} << automaton.start});
    for (size_t i = 0; i < graph.patterns_.size(); ++i) {
      if (graph.patterns_[i].followed == finished) continue;
      tables.for_each(graph.patterns_[i], [&](const Step<Weight>& step) {
        ++graph.steps_;
        if (graph.steps_ <= most_steps) graph.add(step.next);
      });
      if (graph.patterns_.size() > most_patterns || graph.steps_ > most_steps) return std::nullopt;
    }
    return graph;
  }

  const std::vector<PatternKey>& patterns() const { return patterns_; }
  size_t steps() const { return steps_; }
  size_t index_of(PatternKey key) const { return index_[slot(key)]; }

 private:
  explicit PatternGraph(size_t contexts) : contexts_(contexts), index_((contexts + 1) << contexts, none) {}

  size_t slot(PatternKey key) const {
    const size_t followed = key.followed == finished ? contexts_ : static_cast<size_t>(key.followed);
    return followed << contexts_ | key.others;
  }

  void add(PatternKey key) {
    size_t& index = index_[slot(key)];
    if (index != none) return;
    index = patterns_.size();
    patterns_.push_back(key);
  }

  size_t contexts_;
  std::vector<size_t> index_;
  std::vector<PatternKey> patterns_;
  size_t steps_ = 0;
};

// The longest way from each pattern and view to the end, by repeated sweeps; or cycles that are longer than zero.
template <typename Weight>
class LongestPaths {
 public:
  // A step of weight w is unit - w long.
  LongestPaths(const Automaton& automaton, const PatternGraph& graph, const WeighedSteps<Weight>& steps, Weight unit,
               Weight tolerance)
      : automaton_(automaton),
        graph_(graph),
        steps_(steps),
        views_(steps.views().size()),
        unit_(unit),
        tolerance_(tolerance),
        length_(graph.patterns().size() * views_),
        reached_(length_.size()),
        next_(length_.size(), PatternGraph::none) {}

  // True if there is no cycle longer than zero.
  bool run() {
    for (size_t i = 0; i < length_.size(); ++i) reached_[i] = pattern(i).followed == finished;
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = graph_.patterns().size(); i-- > 0;) changed = improve(i) || changed;
      if (changed) find_cycles();
      if (!cycles_.empty()) return false;
    }
    return true;
  }

  size_t sweeps() const { return sweeps_; }

  // After run() was true. Nothing from where no step leads to the end, or for a view that does not count.
  std::optional<Weight> length_from(size_t pattern, size_t view) const {
    const size_t i = pattern * views_ + view;
    return reached_[i] ? std::optional<Weight>(length_[i]) : std::nullopt;
  }
  Walk longest_from_start(size_t view) const {
    std::vector<size_t> way;
    for (size_t i = PatternGraph::start * views_ + view; i != PatternGraph::none; i = next_[i]) way.push_back(i);
    return walk(way);
  }

  // After run() was false.
  std::vector<Walk> cycles() const {
    std::vector<Walk> walks;
    for (const std::vector<size_t>& cycle : cycles_) walks.push_back(walk(cycle));
    return walks;
  }

 private:
  PatternKey pattern(size_t node) const { return graph_.patterns()[node / views_]; }

  bool improve(size_t from) {
    const PatternKey key = graph_.patterns()[from];
    if (key.followed == finished) return false;
    bool changed = false;
    for (size_t view = 0; view < views_; ++view) {
      const size_t i = from * views_ + steps_.views().source(key, view);
      steps_.for_each(key, view, [&](const Step<Weight>& step) {
        const size_t next = graph_.index_of(step.next) * views_ + view;
        if (!reached_[next]) return;
        const Weight length = unit_ - step.weight + length_[next];
        if (reached_[i] && length <= length_[i] + tolerance_) return;
        length_[i] = length;
        next_[i] = next;
        reached_[i] = changed = true;
      });
    }
    return changed;
  }

  // A cycle of best steps is longer than zero: it was closed by an improvement, and no length sinks.
  void find_cycles() {
    ++sweeps_;
    std::vector<size_t> seen(length_.size(), PatternGraph::none);
    for (size_t root = 0; root < length_.size(); ++root) {
      size_t i = root;
      while (i != PatternGraph::none && seen[i] == PatternGraph::none) {
        seen[i] = root;
        i = next_[i];
      }
      if (i == PatternGraph::none || seen[i] != root) continue;
      std::vector<size_t> cycle{i};
      for (size_t j = next_[i]; j != i; j = next_[j]) cycle.push_back(j);
      cycle.push_back(i);
      cycles_.push_back(std::move(cycle));
    }
  }

  Walk walk(const std::vector<size_t>& way) const {
    const size_t moves = automaton_.moves.size();
    Walk result;
    result.made = {std::vector<int64_t>(moves), std::vector<int64_t>(moves),
                   std::vector<std::vector<int64_t>>(views_, std::vector<int64_t>(automaton_.contexts.size()))};
    for (size_t at = 0; at + 1 < way.size(); ++at) add_lightest_step(way[at], way[at + 1], result);
    return result;
  }

  void add_lightest_step(size_t from, size_t to, Walk& walk) const {
    const size_t view = to % views_;
    std::optional<Weight> least;
    std::vector<const ClassStep<Weight>*> classes;
    int followed_move = -1;
    steps_.for_each(pattern(from), view, [&](const Step<Weight>& step) {
      if (graph_.index_of(step.next) != to / views_ || (least && step.weight >= *least)) return;
      least = step.weight;
      classes = *step.classes;
      followed_move = step.followed_move;
    });
    ++walk.steps;
    if (followed_move >= 0) ++walk.made.followed[static_cast<size_t>(followed_move)];
    for (const ClassStep<Weight>* step : classes) {
      for (const auto& [move, count] : step->executed) add_move(static_cast<size_t>(move), count, view, walk);
    }
    for (ContextSet rest = pattern(from).others; rest != 0; rest &= rest - 1) {
      const auto context = static_cast<size_t>(__builtin_ctz(rest));
      ++walk.made.offsets[from % views_][context];
      --walk.made.offsets[view][context];
    }
  }

  void add_move(size_t move, int64_t count, size_t view, Walk& walk) const {
    const auto& [from, to, positions] = automaton_.moves[move];
    walk.made.other[move] += count;
    walk.made.offsets[view][static_cast<size_t>(from)] += count;
    if (to != finished) walk.made.offsets[view][static_cast<size_t>(to)] -= count;
  }

  const Automaton& automaton_;
  const PatternGraph& graph_;
  const WeighedSteps<Weight>& steps_;
  size_t views_;
  Weight unit_;
  Weight tolerance_;
  std::vector<Weight> length_;  // of pattern 0 in each view, then of pattern 1 ...
  std::vector<char> reached_;
  std::vector<size_t> next_;
  std::vector<std::vector<size_t>> cycles_;
  size_t sweeps_ = 0;
};

}  // namespace warpspan::solver
