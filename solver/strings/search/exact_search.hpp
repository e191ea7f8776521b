// SPDX-License-Identifier: GPL-3.0-or-later
// The exact worst-case makespan of a string problem, by a search over all work-conserving schedules.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include "solver/makespan/problem.hpp"
#include "solver/makespan/result.hpp"
#include "solver/strings/certificate/certificate.hpp"
#include "solver/strings/schedules/schedule.hpp"
#include "support/checked.hpp"

namespace warpspan::solver {

struct SearchLimits {
  int64_t memory = int64_t{1} << 30;  // bytes that the search may use
  double seconds = std::numeric_limits<double>::infinity();
  const std::atomic<bool>* cancel = nullptr;  // ends the search soon after it becomes true
  unsigned threads = 0;                       // 0: as many as the machine runs at a time, if that pays
};

struct SearchOptions {
  // The makespan of a schedule that is known to exist. The search leaves out what cannot lead to a longer one; if
  // nothing is left, this is the value.
  std::optional<int64_t> witness;
  // Of the problem: lets a search with a witness leave out more. One that fails its check is not used, and the remark
  // states it.
  const Certificate* certificate = nullptr;
  // Asks for a schedule, which takes memory for all states.
  bool schedule = false;
  // Called now and then, some ten times a second at most, in the thread that called the search: about which part of the
  // states is done (0 .. 1), and how many states were visited. Both begin anew if the search does because the states
  // for a schedule did not fit.
  std::function<void(double done, int64_t states)> progress;
};

struct SearchStatistics {
  int64_t states = 0;           // states visited, each once
  int64_t dropped = 0;          // of them, those from which no schedule gets longer than the witness
  int64_t steps = 0;            // steps followed from the others
  int64_t resident_states = 0;  // the most states in memory at a time
  int64_t memory = 0;           // the most bytes in use at a time; more with more threads
};

struct SearchResult {
  Bound bound;
  SearchStatistics statistics;  // of the part that was searched
  // One of the bound's makespan, if options asked for it. None, and the remark states why, if there is no memory or
  // time for it, or if the search has found none because none is longer than the witness.
  std::optional<Schedule> schedule;
};

// At most how many states workers with a string of `length` symbols have: the distributions of them over the positions
// and the end. Beyond the limit, which is at least 1: some number beyond it.
int64_t most_states(int64_t workers, support::Integer length, int64_t limit);

// The worst-case makespan in cycles. Method "exact", kind exact, safe. Value, schedule and statistics (memory aside)
// are the same in every run that ends within its limits, whatever the number of threads. No value, and the remark
// states which limit it was: too_large (memory, length of the string, number of cycles), time_limit (seconds or
// cancel). A problem that validate() refuses: not_applicable. Overflow: no value.
SearchResult exact_search(const StringProblem& problem, const SearchLimits& limits = {},
                          const SearchOptions& options = {});

}  // namespace warpspan::solver
