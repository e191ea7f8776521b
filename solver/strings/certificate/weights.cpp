// SPDX-License-Identifier: GPL-3.0-or-later
// A cutting-plane search. For given weights the best potentials are longest paths, so the weights have to satisfy two
// kinds of conditions only: around every cycle of patterns they add up to at least its number of steps, and so they do,
// together with an unknown p, along every path from the start to the end. The bound is the weight of all moves that
// the workers make, plus p.
//
// The analysed worker's context is part of the pattern, so its weights may be shifted by any function of the context
// without changing more than potentials. On a spanning tree of its moves they are fixed at 1.
#include "solver/strings/certificate/weights.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "solver/strings/certificate/cut_program.hpp"

namespace warpspan::solver {

namespace {

constexpr double tolerance = 1e-9;
constexpr double lowest_other = -2;
constexpr double lowest_followed = -20;
constexpr double lowest_offset = -20;
constexpr double lowest_path = -1000;
constexpr double slope = 1e-5;  // in workers: of lines that are equally good for the problem's, the flattest is best
constexpr double least_cost = 1e-8;  // of the largest one: below, floating point cannot tell it from none
constexpr int most_rounds = 2000;

// Moves of a spanning tree from the start, the end included.
std::vector<char> tree_moves(const Automaton& automaton) {
  std::vector<char> in_tree(automaton.moves.size());
  std::vector<char> reached(automaton.contexts.size());
  std::vector<int> queue{automaton.start};
  reached[static_cast<size_t>(automaton.start)] = 1;
  bool end_reached = false;
  for (size_t at = 0; at < queue.size(); ++at) {
    for (size_t i = 0; i < automaton.moves.size(); ++i) {
      const auto& move = automaton.moves[i];
      if (move.from != queue[at]) continue;
      if (move.to == finished ? end_reached : reached[static_cast<size_t>(move.to)] != 0) continue;
      in_tree[i] = 1;
      if (move.to == finished) {
        end_reached = true;
      } else {
        reached[static_cast<size_t>(move.to)] = 1;
        queue.push_back(move.to);
      }
    }
  }
  return in_tree;
}

class Search {
 public:
  Search(const WeightSearch& search, const Deadline& deadline)
      : search_(search),
        deadline_(deadline),
        moves_(search.automaton.moves.size()),
        in_tree_(tree_moves(search.automaton)),
        steps_(search.automaton, search.counts),
        start_view_(steps_.views().of_context(search.automaton.start)) {
    for (size_t i = 0; i < moves_; ++i) {
      if (in_tree_[i] == 0) free_followed_.push_back(i);
    }
  }

  std::optional<CertificateWeights<double>> run() {
    CutProgram program(costs(), lowest());
    add_orders(program);
    size_t work = 0;
    for (int round = 0; round < most_rounds && work < search_.most_steps && deadline_.look(); ++round) {
      if (!program.solve()) return std::nullopt;
      steps_.set_weights(weights(program.solution()));
      LongestPaths<double> paths(search_.automaton, search_.graph, steps_, 1, tolerance);
      const bool bounded = paths.run();
      work += search_.graph.steps() * (paths.sweeps() + 1) * steps_.views().size();
      if (!bounded) {
        for (const Walk& cycle : paths.cycles()) program.add(cut(cycle, 0));
        continue;
      }
      const auto length = paths.length_from(PatternGraph::start, start_view_);
      if (!length) return std::nullopt;
      if (*length <= program.solution().back() + 1e-6) return steps_.weights();
      program.add(cut(paths.longest_from_start(start_view_), 1));
    }
    return std::nullopt;
  }

 private:
  size_t contexts() const { return search_.automaton.contexts.size(); }
  size_t variables() const { return moves_ + free_followed_.size() + (steps_.views().size() - 1) * contexts() + 1; }

  // Variables: the weights of all moves for the others, those of free_followed_ for the analysed worker, the offsets of
  // all views but start_view_, and p.
  std::vector<double> costs() const {
    std::vector<double> costs;
    const auto count = [&](size_t move) {
      return static_cast<double>(search_.automaton.moves[move].count.value().value_or(0));
    };
    for (size_t i = 0; i < moves_; ++i) costs.push_back(count(i) * (static_cast<double>(search_.workers - 1) + slope));
    for (const size_t i : free_followed_) costs.push_back(count(i));
    costs.resize(variables() - 1, 0);
    costs.push_back(1);
    const double largest = *std::max_element(costs.begin(), costs.end());
    for (size_t i = 0; i < costs.size(); ++i) {
      // Slightly different for each variable, so that no two choices are equally good.
      costs[i] = std::max(costs[i] / largest, least_cost) * (1 + 1e-9 * static_cast<double>(i));
    }
    return costs;
  }

  std::vector<double> lowest() const {
    std::vector<double> lowest(moves_, lowest_other);
    lowest.resize(moves_ + free_followed_.size(), lowest_followed);
    lowest.resize(variables() - 1, lowest_offset);
    lowest.push_back(lowest_path);
    return lowest;
  }

  CertificateWeights<double> weights(const std::vector<double>& solution) const {
    CertificateWeights<double> weights{
        {solution.begin(), solution.begin() + static_cast<std::ptrdiff_t>(moves_)}, std::vector<double>(moves_, 1), {}};
    size_t next = moves_;
    for (const size_t i : free_followed_) weights.followed[i] = solution[next++];
    weights.offsets.resize(steps_.views().size(), std::vector<double>(contexts()));
    for (size_t view = 0; view < weights.offsets.size(); ++view) {
      if (view == start_view_) continue;
      for (double& offset : weights.offsets[view]) offset = solution[next++];
    }
    return weights;
  }

  CutProgram::Cut cut(const Walk& walk, double path) const {
    CutProgram::Cut cut;
    cut.least = static_cast<double>(walk.steps);
    for (size_t i = 0; i < moves_; ++i) {
      cut.coefficients.push_back(static_cast<double>(walk.made.other[i]));
      if (in_tree_[i] != 0) cut.least -= static_cast<double>(walk.made.followed[i]);
    }
    for (const size_t i : free_followed_) cut.coefficients.push_back(static_cast<double>(walk.made.followed[i]));
    for (size_t view = 0; view < walk.made.offsets.size(); ++view) {
      if (view == start_view_) continue;
      for (const int64_t count : walk.made.offsets[view]) cut.coefficients.push_back(static_cast<double>(count));
    }
    cut.coefficients.push_back(path);
    return cut;
  }

  // There all others execute, and none stays.
  ContextSet where_few(const PatternKey& pattern) const {
    ContextSet contexts = 0;
    for (ClassSet rest = pattern.few; rest != 0; rest &= rest - 1) {
      contexts |= search_.counts.of_class(static_cast<size_t>(std::countr_zero(rest)));
    }
    return contexts;
  }

  // Where a view gives way to another one, the offset of no context in which a worker may stay may grow.
  void add_orders(CutProgram& program) const {
    const size_t views = steps_.views().size();
    std::vector<std::vector<ContextSet>> contexts_of(views, std::vector<ContextSet>(views));
    for (const PatternKey& pattern : search_.graph.patterns()) {
      for (size_t view = 0; view < views && pattern.followed != finished; ++view) {
        contexts_of[steps_.views().source(pattern, view)][view] |= pattern.others & ~where_few(pattern);
      }
    }
    for (size_t from = 0; from < views; ++from) {
      for (size_t to = 0; to < views; ++to) {
        for (ContextSet rest = from == to ? 0 : contexts_of[from][to]; rest != 0; rest &= rest - 1) {
          Walk order;
          order.made = {std::vector<int64_t>(moves_), std::vector<int64_t>(moves_),
                        std::vector<std::vector<int64_t>>(views, std::vector<int64_t>(contexts()))};
          order.made.offsets[from][static_cast<size_t>(__builtin_ctz(rest))] = 1;
          order.made.offsets[to][static_cast<size_t>(__builtin_ctz(rest))] = -1;
          program.add(cut(order, 0));
        }
      }
    }
  }

  const WeightSearch& search_;
  const Deadline& deadline_;
  size_t moves_;
  std::vector<char> in_tree_;
  std::vector<size_t> free_followed_;
  WeighedSteps<double> steps_;
  size_t start_view_;  // the only view that counts at the start; its offsets are 0
};

}  // namespace

std::optional<CertificateWeights<double>> find_weights(const WeightSearch& search, const Deadline& deadline) {
  return Search(search, deadline).run();
}

}  // namespace warpspan::solver
