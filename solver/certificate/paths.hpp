// Longest paths through the patterns and their views.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "solver/certificate/views.hpp"

namespace warpspan::solver {

// Steps in a row: how many, and how often each move is made in them.
struct Walk {
  int64_t steps = 0;
  CertificateWeights<int64_t> made;  // how often each weight counts in them
};

// The patterns that schedules can meet from the start on, and the steps between them.
class PatternGraph {
 public:
  static constexpr size_t none = SIZE_MAX;
  static constexpr size_t start = 0;

  struct Edge {
    uint32_t next = 0;    // pattern
    uint32_t choice = 0;  // of the step
  };

  // Nothing if there are more than `most_patterns`, or more than `most_steps` steps between them.
  template <typename Weight>
  static std::optional<PatternGraph> make(const PatternKey& first, size_t contexts, const WorkerCounts& counts,
                                          const StepTables<Weight>& tables, size_t most_patterns, size_t most_steps) {
    PatternGraph graph(contexts, counts);
    graph.add(first);
    for (size_t i = 0; i < graph.patterns_.size(); ++i) {
      graph.begin_.push_back(graph.edges_.size());
      const PatternKey pattern = graph.patterns_[i];
      if (pattern.followed == finished) continue;
      tables.for_each(pattern, [&](const Step<Weight>& step) {
        if (graph.edges_.size() > most_steps) return;
        graph.edges_.push_back({static_cast<uint32_t>(graph.add(step.next)), static_cast<uint32_t>(step.choice)});
      });
      if (graph.patterns_.size() > most_patterns || graph.edges_.size() > most_steps) return std::nullopt;
    }
    graph.begin_.push_back(graph.edges_.size());
    return graph;
  }

  const std::vector<PatternKey>& patterns() const { return patterns_; }
  size_t steps() const { return edges_.size(); }
  std::span<const Edge> edges(size_t pattern) const {
    return {edges_.data() + begin_[pattern], edges_.data() + begin_[pattern + 1]};
  }
  size_t index_of(const PatternKey& key) const { return index_[slot(key)]; }

 private:
  PatternGraph(size_t contexts, const WorkerCounts& counts)
      : contexts_(contexts),
        classes_(static_cast<size_t>(std::bit_width(counts.counted()))),
        index_((contexts + 1) << (contexts + classes_), none) {}

  size_t slot(const PatternKey& key) const {
    const size_t followed = key.followed == finished ? contexts_ : static_cast<size_t>(key.followed);
    return (followed << contexts_ | key.others) << classes_ | key.few;
  }

  size_t add(const PatternKey& key) {
    size_t& index = index_[slot(key)];
    if (index == none) {
      index = patterns_.size();
      patterns_.push_back(key);
    }
    return index;
  }

  size_t contexts_;
  size_t classes_;  // up to the last one that is counted
  std::vector<size_t> index_;
  std::vector<PatternKey> patterns_;
  std::vector<Edge> edges_;
  std::vector<size_t> begin_;  // of each pattern's edges, and the end of the last one's
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
        length_(graph.patterns().size() * views_, unreached),
        next_(length_.size(), PatternGraph::none) {}

  // True if there is no cycle longer than zero.
  bool run() {
    for (size_t i = steps_.views().last(); i < length_.size(); i += views_) {
      if (pattern(i).followed == finished) length_[i] = 0;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = graph_.patterns().size(); i-- > 0;) changed = improve(i) || changed;
      if (changed) find_cycles();
      if (!cycles_.empty()) return false;
    }
    return true;
  }

  size_t sweeps() const { return sweeps_; }

  // After run() was true. Nothing from where no step leads to the end, or for a view that does not count. From the end
  // nothing is left in any view.
  std::optional<Weight> length_from(size_t pattern, size_t view) const {
    if (graph_.patterns()[pattern].followed == finished) return Weight{};
    const Weight length = length_[pattern * views_ + view];
    return length > unreached / 2 ? std::optional<Weight>(length) : std::nullopt;
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
    const PatternKey& key = graph_.patterns()[from];
    if (key.followed == finished) return false;
    bool changed = false;
    for (size_t view = 0; view < views_; ++view) {
      steps_.to_view(key, view).weigh(key, weights_);
      const size_t i = from * views_ + steps_.views().source(key, view);
      for (const PatternGraph::Edge& edge : graph_.edges(from)) {
        const size_t next = edge.next * views_ + view;
        const Weight length = length_[next] - weights_[edge.choice] + unit_;
        if (length <= length_[i] + tolerance_ || length <= unreached / 2) continue;
        length_[i] = length;
        next_[i] = next;
        changed = true;
      }
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
    const PatternKey key = pattern(from);
    steps_.to_view(key, view).for_each(key, [&](const Step<Weight>& step) {
      if (graph_.index_of(step.next) != to / views_ || (least && step.weight >= *least)) return;
      least = step.weight;
      classes = *step.classes;
      followed_move = step.followed_move;
    });
    ++walk.steps;
    if (followed_move >= 0) ++walk.made.followed[static_cast<size_t>(followed_move)];
    const size_t source = from % views_;
    for (const ClassStep<Weight>* step : classes) {
      for (const auto& [move, count] : step->executed) add_move(static_cast<size_t>(move), count, source, view, walk);
      for (ContextSet rest = step->stay; rest != 0; rest &= rest - 1) {
        const auto context = static_cast<size_t>(std::countr_zero(rest));
        ++walk.made.offsets[source][context];
        --walk.made.offsets[view][context];
      }
    }
  }

  void add_move(size_t move, int64_t count, size_t source, size_t view, Walk& walk) const {
    const auto& [from, to, positions] = automaton_.moves[move];
    walk.made.other[move] += count;
    walk.made.offsets[source][static_cast<size_t>(from)] += count;
    if (to != finished) walk.made.offsets[view][static_cast<size_t>(to)] -= count;
  }

  static constexpr Weight unreached = std::numeric_limits<Weight>::lowest() / 4;

  const Automaton& automaton_;
  const PatternGraph& graph_;
  const WeighedSteps<Weight>& steps_;
  size_t views_;
  Weight unit_;
  Weight tolerance_;
  std::vector<Weight> length_;  // of pattern 0 in each view, then of pattern 1 ...
  std::vector<size_t> next_;
  std::vector<std::vector<size_t>> cycles_;
  size_t sweeps_ = 0;
  std::vector<Weight> weights_;  // of the choices from the pattern at hand
};

}  // namespace warpspan::solver
