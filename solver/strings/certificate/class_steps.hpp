// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of the workers of one class, for given weights (certificate_bound.cpp): of those that lead to the same only
// one of least weight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "solver/strings/certificate/worker_counts.hpp"

namespace warpspan::solver {

// What the workers lose in a step.
template <typename Weight>
struct StepWeights {
  std::vector<Weight> other;     // one per move: another worker that makes it
  std::vector<Weight> followed;  // one per move: the analysed worker that makes it
  std::vector<Weight> staying;   // one per context: another worker that stays there
};

// What the others of one class do in a step.
template <typename Weight>
struct ClassStep {
  ContextSet next = 0;                            // where they stand afterwards
  int64_t staying = 0;                            // if the class is counted: how many stay behind at least
  Arrivals arrivals = 0;                          // at the classes that are counted
  Weight weight{};                                // of all they execute, and of one who stays in each context of `stay`
  ContextSet stay = 0;                            // contexts where somebody stays behind
  std::vector<std::pair<int, int64_t>> executed;  // moves and how often
};

template <typename Weight>
using ClassSteps = std::vector<ClassStep<Weight>>;

// How many others of a class execute in a step.
struct Executing {
  std::optional<int64_t> all;      // all of them, at most so many: they leave every context empty
  std::optional<int64_t> exactly;  // or exactly so many, from contexts each of which they may leave empty or not
  bool somebody_stays = false;     // of the latter: not all of them execute
};

// The steps of the others of one class that stand in `occupied` (contexts of that class). Weights are of type double or
// int64_t.
template <typename Weight>
ClassSteps<Weight> class_steps(const Automaton& automaton, const WorkerCounts& counts,
                               const StepWeights<Weight>& weights, ContextSet occupied, const Executing& executing);

}  // namespace warpspan::solver
