// SPDX-License-Identifier: GPL-3.0-or-later
// How much is reported of the number of workers: where fewer others than servers are ready for a class, all of them
// execute.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/strings/certificate/contexts.hpp"

namespace warpspan::solver {

using ContextSet = uint32_t;
using ClassSet = uint32_t;

// What is known of a state.
struct PatternKey {
  int followed = 0;       // context, or finished
  ContextSet others = 0;  // where others stand
  ClassSet few = 0;       // for which classes fewer others are ready than there are servers, but one at least
};

// Arrivals at the classes in a step, each counted up to its number of servers.
using Arrivals = uint64_t;

class WorkerCounts {
 public:
  // More classes or servers are not counted.
  static constexpr size_t most_classes = 6;
  static constexpr int64_t most_servers = 7;

  static bool can_count(const std::vector<int64_t>& servers);

  // Counts for the classes that have several servers, if `are_told`. At most `most_others` others are under way.
  WorkerCounts(const Automaton& automaton, std::vector<int64_t> servers, bool are_told, int64_t most_others);

  const std::vector<int64_t>& servers() const { return servers_; }
  size_t class_of(int context) const { return class_of_[static_cast<size_t>(context)]; }
  ContextSet of_class(size_t k) const { return of_class_[k]; }
  ClassSet counted() const { return counted_; }
  bool counts(size_t k) const { return k < most_classes && (counted_ >> k & 1) != 0; }

  Arrivals arrival(int context) const;  // of one worker
  // In the header, as it is asked for each step.
  Arrivals sum(Arrivals a, Arrivals b) const {
    Arrivals total = 0;
    for (ClassSet rest = counted_; rest != 0; rest &= rest - 1) {
      const auto k = static_cast<size_t>(std::countr_zero(rest));
      total |= static_cast<Arrivals>(std::min(at(a, k) + at(b, k), servers_[k])) << shift(k);
    }
    return total;
  }
  int64_t at(Arrivals arrivals, size_t k) const { return static_cast<int64_t>(arrivals >> shift(k) & 15); }

  // There may be a state like that: what is reported does not ask for more others than there are.
  bool is_possible(const PatternKey& pattern) const {
    return most_others_ > most_that_are_told || fewest_others(pattern) <= most_others_;
  }

 private:
  static constexpr int64_t most_that_are_told = 32 + static_cast<int64_t>(most_classes) * most_servers;

  int64_t fewest_others(const PatternKey& pattern) const;
  static size_t shift(size_t k) { return 4 * k; }

  std::vector<int64_t> servers_;
  std::vector<ContextSet> of_class_;  // the contexts of each class
  std::vector<size_t> class_of_;      // of each context
  int64_t most_others_;
  ClassSet counted_ = 0;
};

}  // namespace warpspan::solver
