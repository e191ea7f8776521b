// Longest paths through the patterns, where a step of weight w is 1 - w long (in units of the weights: `unit` - w).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "solver/certificate_steps.hpp"

namespace warpspan::solver {

// Steps in a row: how many, and how often each move is made in them.
struct Walk {
  int64_t steps = 0;
  std::vector<int64_t> other;     // one per move
  std::vector<int64_t> followed;  // one per move
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

// The longest way from each pattern to the end, by repeated sweeps; or cycles that are longer than zero.
template <typename Weight>
class LongestPaths {
 public:
  LongestPaths(const PatternGraph& graph, const StepTables<Weight>& tables, Weight unit, Weight tolerance)
      : graph_(graph),
        tables_(tables),
        unit_(unit),
        tolerance_(tolerance),
        length_(graph.patterns().size()),
        reached_(graph.patterns().size()),
        next_(graph.patterns().size(), PatternGraph::none) {}

  // True if there is no cycle longer than zero.
  bool run() {
    for (size_t i = 0; i < length_.size(); ++i) {
      if (graph_.patterns()[i].followed == finished) reached_[i] = true;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = length_.size(); i-- > 0;) changed = improve(i) || changed;
      if (changed) find_cycles();
      if (!cycles_.empty()) return false;
    }
    return true;
  }

  int sweeps() const { return sweeps_; }

  // After run() was true.
  Weight length_from(size_t pattern) const { return length_[pattern]; }
  bool reaches_end(size_t pattern) const { return reached_[pattern]; }
  Walk longest_from_start(size_t moves) const {
    std::vector<size_t> way;
    for (size_t i = PatternGraph::start; i != PatternGraph::none; i = next_[i]) way.push_back(i);
    return walk(way, moves);
  }

  // After run() was false.
  std::vector<Walk> cycles(size_t moves) const {
    std::vector<Walk> walks;
    for (const std::vector<size_t>& cycle : cycles_) walks.push_back(walk(cycle, moves));
    return walks;
  }

 private:
  bool improve(size_t i) {
    const PatternKey pattern = graph_.patterns()[i];
    if (pattern.followed == finished) return false;
    bool changed = false;
    tables_.for_each(pattern, [&](const Step<Weight>& step) {
      const size_t next = graph_.index_of(step.next);
      if (!reached_[next]) return;
      const Weight length = unit_ - step.weight + length_[next];
      if (reached_[i] && length <= length_[i] + tolerance_) return;
      length_[i] = length;
      next_[i] = next;
      reached_[i] = changed = true;
    });
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

  // The lightest steps from each pattern of the way to the one after it.
  Walk walk(const std::vector<size_t>& way, size_t moves) const {
    Walk result{static_cast<int64_t>(way.size()) - 1, std::vector<int64_t>(moves), std::vector<int64_t>(moves)};
    for (size_t at = 0; at + 1 < way.size(); ++at) {
      std::optional<Weight> least;
      std::vector<const ClassStep<Weight>*> classes;
      int followed_move = -1;
      tables_.for_each(graph_.patterns()[way[at]], [&](const Step<Weight>& step) {
        if (graph_.index_of(step.next) != way[at + 1] || (least && step.weight >= *least)) return;
        least = step.weight;
        classes = *step.classes;
        followed_move = step.followed_move;
      });
      if (followed_move >= 0) ++result.followed[static_cast<size_t>(followed_move)];
      for (const ClassStep<Weight>* step : classes) {
        for (const auto& [move, count] : step->executed) result.other[static_cast<size_t>(move)] += count;
      }
    }
    return result;
  }

  const PatternGraph& graph_;
  const StepTables<Weight>& tables_;
  Weight unit_;
  Weight tolerance_;
  std::vector<Weight> length_;
  std::vector<char> reached_;
  std::vector<size_t> next_;
  std::vector<std::vector<size_t>> cycles_;
  int sweeps_ = 0;
};

}  // namespace warpspan::solver
