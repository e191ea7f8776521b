// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/certificate/paths.hpp"

#include <bit>
#include <limits>
#include <utility>

namespace warpspan::solver {

namespace {

template <typename Weight>
constexpr Weight unreached = std::numeric_limits<Weight>::lowest() / 4;

}  // namespace

PatternGraph::PatternGraph(size_t contexts, const WorkerCounts& counts)
    : contexts_(contexts),
      classes_(static_cast<size_t>(std::bit_width(counts.counted()))),
      index_((contexts + 1) << (contexts + classes_), none) {}

std::optional<PatternGraph> PatternGraph::make(const PatternKey& first, size_t contexts, const WorkerCounts& counts,
                                               const StepTables<double>& tables, size_t most_patterns,
                                               size_t most_steps) {
  PatternGraph graph(contexts, counts);
  graph.add(first);
  for (size_t i = 0; i < graph.patterns_.size(); ++i) {
    graph.begin_.push_back(graph.edges_.size());
    const PatternKey pattern = graph.patterns_[i];
    if (pattern.followed == finished) continue;
    tables.for_each(pattern, [&](const Step<double>& step) {
      if (graph.edges_.size() > most_steps) return;
      graph.edges_.push_back({static_cast<uint32_t>(graph.add(step.next)), static_cast<uint32_t>(step.choice)});
    });
    if (graph.patterns_.size() > most_patterns || graph.edges_.size() > most_steps) return std::nullopt;
  }
  graph.begin_.push_back(graph.edges_.size());
  return graph;
}

template <typename Weight>
LongestPaths<Weight>::LongestPaths(const Automaton& automaton, const PatternGraph& graph,
                                   const WeighedSteps<Weight>& steps, Weight unit, Weight tolerance)
    : automaton_(automaton),
      graph_(graph),
      steps_(steps),
      views_(steps.views().size()),
      unit_(unit),
      tolerance_(tolerance),
      length_(graph.patterns().size() * views_, unreached<Weight>),
      next_(length_.size(), PatternGraph::none) {}

template <typename Weight>
bool LongestPaths<Weight>::run() {
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

template <typename Weight>
std::optional<Weight> LongestPaths<Weight>::length_from(size_t pattern, size_t view) const {
  if (graph_.patterns()[pattern].followed == finished) return Weight{};
  const Weight length = length_[pattern * views_ + view];
  return length > unreached<Weight> / 2 ? std::optional<Weight>(length) : std::nullopt;
}

template <typename Weight>
Walk LongestPaths<Weight>::longest_from_start(size_t view) const {
  std::vector<size_t> path;
  for (size_t i = PatternGraph::start * views_ + view; i != PatternGraph::none; i = next_[i]) path.push_back(i);
  return walk(path);
}

template <typename Weight>
std::vector<Walk> LongestPaths<Weight>::cycles() const {
  std::vector<Walk> walks;
  for (const std::vector<size_t>& cycle : cycles_) walks.push_back(walk(cycle));
  return walks;
}

template <typename Weight>
bool LongestPaths<Weight>::improve(size_t from) {
  const PatternKey& key = graph_.patterns()[from];
  if (key.followed == finished) return false;
  bool changed = false;
  for (size_t view = 0; view < views_; ++view) {
    steps_.to_view(key, view).weigh(key, weights_);
    const size_t i = from * views_ + steps_.views().source(key, view);
    for (const PatternGraph::Edge& edge : graph_.edges(from)) {
      const size_t next = edge.next * views_ + view;
      const Weight length = length_[next] - weights_[edge.choice] + unit_;
      if (length <= length_[i] + tolerance_ || length <= unreached<Weight> / 2) continue;
      length_[i] = length;
      next_[i] = next;
      changed = true;
    }
  }
  return changed;
}

// A cycle of best steps is longer than zero: it was closed by an improvement, and no length sinks.
template <typename Weight>
void LongestPaths<Weight>::find_cycles() {
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

template <typename Weight>
Walk LongestPaths<Weight>::walk(const std::vector<size_t>& path) const {
  const size_t moves = automaton_.moves.size();
  Walk result;
  result.made = {std::vector<int64_t>(moves), std::vector<int64_t>(moves),
                 std::vector<std::vector<int64_t>>(views_, std::vector<int64_t>(automaton_.contexts.size()))};
  for (size_t at = 0; at + 1 < path.size(); ++at) add_lightest_step(path[at], path[at + 1], result);
  return result;
}

template <typename Weight>
void LongestPaths<Weight>::add_lightest_step(size_t from, size_t to, Walk& walk) const {
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

template <typename Weight>
void LongestPaths<Weight>::add_move(size_t move, int64_t count, size_t source, size_t view, Walk& walk) const {
  const auto& [from, to, positions] = automaton_.moves[move];
  walk.made.other[move] += count;
  walk.made.offsets[source][static_cast<size_t>(from)] += count;
  if (to != finished) walk.made.offsets[view][static_cast<size_t>(to)] -= count;
}

template class LongestPaths<double>;
template class LongestPaths<int64_t>;

}  // namespace warpspan::solver
