// Weights at a corner of the linear program are fractions with a small common denominator, which is tried first. If it
// is not found, or the rounded weights are too small around some cycle, all are rounded up on a fine grid, and then up
// further: every step executes at least one symbol, so that lengthens no cycle.
#include "solver/certificate_rounding.hpp"

#include <cmath>
#include <utility>

namespace warpspan::solver {

namespace {

constexpr int64_t largest_small_denominator = 1000;
constexpr int64_t fine_denominator = 1 << 20;
constexpr int64_t most_raised = 1 << 12;
constexpr double nearly = 1e-5;
constexpr double largest_weight = 1024;  // with it no path through the patterns overflows

bool all_of(const MoveWeights<double>& weights, auto property) {
  for (const double value : weights.other) {
    if (!property(value)) return false;
  }
  for (const double value : weights.followed) {
    if (!property(value)) return false;
  }
  return true;
}

// 0: none.
int64_t small_denominator(const MoveWeights<double>& weights) {
  for (int64_t d = 1; d <= largest_small_denominator; ++d) {
    const auto is_near = [=](double value) {
      const double scaled = value * static_cast<double>(d);
      return std::fabs(scaled - std::round(scaled)) < nearly;
    };
    if (all_of(weights, is_near)) return d;
  }
  return 0;
}

MoveWeights<int64_t> rounded(const MoveWeights<double>& weights, auto round) {
  MoveWeights<int64_t> result;
  for (const double value : weights.other) result.other.push_back(round(value));
  for (const double value : weights.followed) result.followed.push_back(round(value));
  return result;
}

class Rounding {
 public:
  Rounding(const Automaton& automaton, const std::vector<int64_t>& servers, const PatternGraph& graph)
      : automaton_(automaton), graph_(graph), tables_(automaton, servers) {}

  std::optional<Certificate> certificate(MoveWeights<int64_t> weights, int64_t denominator) {
    tables_.set_weights(std::move(weights));
    LongestPaths<int64_t> paths(graph_, tables_, denominator, 0);
    if (!paths.run()) return std::nullopt;
    Certificate certificate;
    certificate.denominator = denominator;
    certificate.contexts = automaton_.contexts;
    for (size_t i = 0; i < automaton_.moves.size(); ++i) {
      certificate.moves.push_back({automaton_.moves[i].from, automaton_.moves[i].to, tables_.weights().other[i],
                                   tables_.weights().followed[i]});
    }
    for (size_t i = 0; i < graph_.patterns().size(); ++i) {
      if (!paths.reaches_end(i)) continue;
      const PatternKey& pattern = graph_.patterns()[i];
      certificate.patterns.push_back({pattern.followed, pattern.others, paths.length_from(i)});
    }
    return certificate;
  }

 private:
  const Automaton& automaton_;
  const PatternGraph& graph_;
  StepTables<int64_t> tables_;
};

}  // namespace

std::optional<Certificate> rounded_certificate(const Automaton& automaton, const std::vector<int64_t>& servers,
                                               const PatternGraph& graph, const MoveWeights<double>& weights) {
  if (!all_of(weights, [](double value) { return std::fabs(value) < largest_weight; })) return std::nullopt;
  Rounding rounding(automaton, servers, graph);
  if (const int64_t d = small_denominator(weights); d > 0) {
    const auto nearest = [=](double value) { return std::llround(value * static_cast<double>(d)); };
    if (auto certificate = rounding.certificate(rounded(weights, nearest), d)) return certificate;
  }
  for (int64_t raised = 0; raised <= most_raised; raised = raised == 0 ? 1 : raised * 4) {
    const auto up = [=](double value) {
      return static_cast<int64_t>(std::ceil(value * static_cast<double>(fine_denominator))) + raised;
    };
    if (auto certificate = rounding.certificate(rounded(weights, up), fine_denominator)) return certificate;
  }
  return std::nullopt;
}

}  // namespace warpspan::solver
