// SPDX-License-Identifier: GPL-3.0-or-later
// Longest paths through the patterns and their views.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solver/strings/certificate/views.hpp"

namespace warpspan::solver {

// Steps in a row: how many, and how often each move is made in them.
struct Walk {
  int64_t steps = 0;
  CertificateWeights<int64_t> made;  // how often each weight counts in them
};

// The patterns that schedules can reach from the start on, and the steps between them.
class PatternGraph {
 public:
  static constexpr size_t none = SIZE_MAX;
  static constexpr size_t start = 0;

  struct Edge {
    uint32_t next = 0;    // pattern
    uint32_t choice = 0;  // of the step
  };

  // Nothing if there are more than `most_patterns`, or more than `most_steps` steps between them.
  static std::optional<PatternGraph> make(const PatternKey& first, size_t contexts, const WorkerCounts& counts,
                                          const StepTables<double>& tables, size_t most_patterns, size_t most_steps);

  const std::vector<PatternKey>& patterns() const { return patterns_; }
  size_t steps() const { return edges_.size(); }
  std::span<const Edge> edges(size_t pattern) const {
    return {edges_.data() + begin_[pattern], edges_.data() + begin_[pattern + 1]};
  }
  size_t index_of(const PatternKey& key) const { return index_[slot(key)]; }

 private:
  PatternGraph(size_t contexts, const WorkerCounts& counts);
  size_t slot(const PatternKey& key) const {
    const size_t followed = key.followed == finished ? contexts_ : static_cast<size_t>(key.followed);
    return (followed << contexts_ | key.others) << classes_ | key.few;
  }
  // In the header, so that it is compiled into the loop over all steps.
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

// The longest path from each pattern and view to the end, by repeated sweeps; or cycles that are longer than zero. For
// weights of type double or int64_t.
template <typename Weight>
class LongestPaths {
 public:
  // A step of weight w is unit - w long.
  LongestPaths(const Automaton& automaton, const PatternGraph& graph, const WeighedSteps<Weight>& steps, Weight unit,
               Weight tolerance);

  // True if there is no cycle longer than zero.
  bool run();

  size_t sweeps() const { return sweeps_; }

  // After run() was true. Nothing from where no step leads to the end, or for a view that does not count. From the end
  // nothing is left in any view.
  std::optional<Weight> length_from(size_t pattern, size_t view) const;
  Walk longest_from_start(size_t view) const;

  // After run() was false.
  std::vector<Walk> cycles() const;

 private:
  PatternKey pattern(size_t node) const { return graph_.patterns()[node / views_]; }
  bool improve(size_t from);
  void find_cycles();
  Walk walk(const std::vector<size_t>& path) const;
  void add_lightest_step(size_t from, size_t to, Walk& walk) const;
  void add_move(size_t move, int64_t count, size_t source, size_t view, Walk& walk) const;

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
