// SPDX-License-Identifier: GPL-3.0-or-later
// A potential certificate: weights that prove a bound on the makespan of a string problem for many numbers of workers
// at once. Plain data; docs/certificates.md states what it means, certificate_bound.cpp why it proves what it proves.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "solver/makespan/problem.hpp"
#include "support/rational.hpp"

namespace warpspan::solver {

inline constexpr int past_end = -1;     // in a context: a position behind the last symbol of the string
inline constexpr int other_class = -2;  // in a context: anything but the class that the context begins with
inline constexpr int finished = -1;     // in place of a context: the worker has executed the whole string

struct Certificate {
  // The problem, for any number of workers from least_workers, at least 2, to most_workers.
  String string;
  std::vector<int64_t> servers;
  int64_t least_workers = 2;
  int64_t most_workers = std::numeric_limits<int64_t>::max();

  // Patterns report for which classes workers are few: fewer others are ready than the class has servers.
  bool tells_few = false;

  // A context is how the rest of a worker's string begins: classes, and past_end behind the last one. Every position
  // of the string has exactly one of the contexts. At most 32, in ascending order. If other_class stands in one of
  // them, then it stands in all of them for whatever is not the class that the context begins with.
  std::vector<std::vector<int>> contexts;

  // A worker that executes the first symbol of context `from` stands in context `to` then. One entry for each pair that
  // occurs in the string, in ascending order.
  struct Move {
    int from = 0;
    int to = 0;            // or finished
    int64_t other = 0;     // weight / denominator if a worker other than the analysed one makes the move
    int64_t followed = 0;  // if the analysed one does
  };
  std::vector<Move> moves;

  // A view of a state: what the workers other than the analysed one add to its potential, by their contexts. One view
  // for each class that occurs in the string, in ascending order; it counts where some worker is ready for the class.
  struct View {
    std::vector<int64_t> offsets;  // one per context, / denominator
  };
  std::vector<View> views;

  // What is known of a state: the analysed worker's context, where other workers stand, and where they are few.
  struct Pattern {
    int followed = 0;                                // context, or finished
    uint32_t others = 0;                             // bit c: at least one other worker stands in context c
    std::vector<std::optional<int64_t>> potentials;  // one per view, / denominator; none: below every number
    uint32_t few = 0;  // if tells_few, bit k: others are ready for class k, but fewer than its servers. Otherwise 0
  };
  // Left out are patterns without any potential.
  std::vector<Pattern> patterns;

  int64_t denominator = 1;  // of all weights and potentials, at least 1
};

// makespan <= floor(slope * W + intercept) for every number of workers W from least_workers to most_workers.
struct Line {
  support::Rational slope;
  support::Rational intercept;
  int64_t least_workers = 2;
  int64_t most_workers = std::numeric_limits<int64_t>::max();

  friend bool operator==(const Line&, const Line&) = default;
};

}  // namespace warpspan::solver
