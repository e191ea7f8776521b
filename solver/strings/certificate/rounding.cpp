// SPDX-License-Identifier: GPL-3.0-or-later
// Weights at a corner of the linear program are fractions with a small common denominator, which is tried first. If it
// is not found, or the rounded weights are too small around some cycle, all are rounded up on a fine grid, and then up
// further (but for the offsets): every step executes at least one symbol, so that lengthens no cycle.
#include "solver/strings/certificate/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace warpspan::solver {

namespace {

constexpr int64_t largest_small_denominator = 1000;
constexpr int64_t fine_denominator = 1 << 20;
constexpr int64_t most_raised = 1 << 12;
constexpr double nearly = 1e-5;
constexpr double largest_weight = 1024;  // with it no path through the patterns overflows

bool all_of(const CertificateWeights<double>& weights, auto property) {
  const auto holds = [&](const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), property);
  };
  return holds(weights.other) && holds(weights.followed) &&
         std::all_of(weights.offsets.begin(), weights.offsets.end(), holds);
}

// 0: none.
int64_t small_denominator(const CertificateWeights<double>& weights) {
  for (int64_t d = 1; d <= largest_small_denominator; ++d) {
    const auto is_near = [=](double value) {
      const double scaled = value * static_cast<double>(d);
      return std::fabs(scaled - std::round(scaled)) < nearly;
    };
    if (all_of(weights, is_near)) return d;
  }
  return 0;
}

std::vector<int64_t> rounded(const std::vector<double>& values, auto round) {
  std::vector<int64_t> result;
  result.reserve(values.size());
  for (const double value : values) result.push_back(round(value));
  return result;
}

// Weights times the denominator; offsets to the nearest integer, the others as `round` does it.
CertificateWeights<int64_t> rounded(const CertificateWeights<double>& weights, int64_t denominator, auto round) {
  CertificateWeights<int64_t> result{rounded(weights.other, round), rounded(weights.followed, round), {}};
  const auto nearest = [=](double value) { return std::llround(value * static_cast<double>(denominator)); };
  for (const auto& offsets : weights.offsets) result.offsets.push_back(rounded(offsets, nearest));
  return result;
}

class Rounding {
 public:
  explicit Rounding(const WeightSearch& search)
      : automaton_(search.automaton), graph_(search.graph), steps_(automaton_, search.counts) {}

  // False if the weights admit no potentials.
  bool set(CertificateWeights<int64_t> weights, int64_t denominator, Certificate& certificate) {
    steps_.set_weights(std::move(weights));
    LongestPaths<int64_t> paths(automaton_, graph_, steps_, denominator, 0);
    if (!paths.run()) return false;
    certificate.denominator = denominator;
    certificate.contexts = automaton_.contexts;
    for (size_t i = 0; i < automaton_.moves.size(); ++i) {
      certificate.moves.push_back(
          {automaton_.moves[i].from, automaton_.moves[i].to, steps_.weights().other[i], steps_.weights().followed[i]});
    }
    for (const auto& offsets : steps_.weights().offsets) certificate.views.push_back({offsets});
    for (size_t i = 0; i < graph_.patterns().size(); ++i) add_pattern(i, paths, certificate);
    return true;
  }

 private:
  // Unless it is a dead end.
  void add_pattern(size_t i, const LongestPaths<int64_t>& paths, Certificate& certificate) const {
    const PatternKey& key = graph_.patterns()[i];
    Certificate::Pattern pattern{key.followed, key.others, {}, key.few};
    bool reaches_end = false;
    for (size_t view = 0; view < steps_.views().size(); ++view) {
      const auto length = paths.length_from(i, view);
      reaches_end = reaches_end || length.has_value();
      pattern.potentials.push_back(length);
    }
    if (reaches_end) certificate.patterns.push_back(std::move(pattern));
  }

  const Automaton& automaton_;
  const PatternGraph& graph_;
  WeighedSteps<int64_t> steps_;
};

}  // namespace

bool set_rounded(const WeightSearch& search, const CertificateWeights<double>& weights, Certificate& certificate) {
  if (!all_of(weights, [](double value) { return std::fabs(value) < largest_weight; })) return false;
  Rounding rounding(search);
  if (const int64_t d = small_denominator(weights); d > 0) {
    const auto nearest = [=](double value) { return std::llround(value * static_cast<double>(d)); };
    if (rounding.set(rounded(weights, d, nearest), d, certificate)) return true;
  }
  for (int64_t raised = 0; raised <= most_raised; raised = raised == 0 ? 1 : raised * 4) {
    const auto up = [=](double value) {
      return static_cast<int64_t>(std::ceil(value * static_cast<double>(fine_denominator))) + raised;
    };
    if (rounding.set(rounded(weights, fine_denominator, up), fine_denominator, certificate)) return true;
  }
  return false;
}

}  // namespace warpspan::solver
