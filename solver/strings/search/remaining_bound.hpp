// SPDX-License-Identifier: GPL-3.0-or-later
// How long a string problem takes at most from a state of it on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "solver/strings/certificate/certificate.hpp"
#include "support/result.hpp"

namespace warpspan::solver {

// Holds scratch space: threads need a copy each.
class RemainingBound {
 public:
  // For `workers` >= 1 workers that each execute `symbols` (not empty, each with an entry in `servers`, which are at
  // least 1). A certificate for as many workers makes the bound smaller; it is checked here first.
  // Errors: the certificate is none, or one of another problem; a bound might exceed 2^63 - 1.
  static support::Result<RemainingBound> make(const std::vector<int>& symbols, int64_t workers,
                                              const std::vector<int64_t>& servers,
                                              const Certificate* certificate = nullptr);

  // No schedule needs more than this many cycles from the state on in which counts[p] workers stand before position p
  // (one entry for each symbol) and the others have finished; 0 if all have. Only for states that a schedule reaches in
  // which all start at once: a certificate proves nothing about others.
  int64_t cycles_from(std::span<const int64_t> counts) { return evaluate(counts, std::numeric_limits<int64_t>::max()); }

  // cycles_from(counts) <= cycles, in less time.
  bool is_at_most(std::span<const int64_t> counts, int64_t cycles) { return evaluate(counts, cycles) <= cycles; }

 private:
  // What is left for a worker before a position.
  struct Rest {
    int64_t length = 0;
    int64_t other = 0;     // certificate's weights of its moves, if it is not the analysed worker
    int64_t followed = 0;  // if it is
    size_t context = 0;
  };
  struct View {
    int of_class = 0;
    int64_t servers = 1;
    uint32_t contexts = 0;  // of the class
  };
  struct Slot {
    uint64_t key = 0;  // 0: empty
    uint32_t few = 0;
    size_t first = 0;  // of the pattern's potentials
  };

  RemainingBound() = default;
  bool count_symbols(const std::vector<int>& symbols, int64_t workers, const std::vector<int64_t>& servers);
  void read_contexts(const Certificate& certificate, const std::vector<int>& symbols);
  void read_patterns(const Certificate& certificate);
  bool read_weights(const Certificate& certificate, int64_t workers);
  const Slot* find(size_t followed, uint32_t others) const;
  uint32_t few_beside(size_t followed) const;

  int64_t evaluate(std::span<const int64_t> counts, int64_t enough);
  void add_up(std::span<const int64_t> counts);
  int64_t list_bound(size_t position) const;
  bool weigh_views(size_t context);
  int64_t certificate_bound(size_t position) const;

  std::vector<int64_t> servers_;  // of the classes that occur
  std::vector<Rest> rest_;
  std::vector<int64_t> symbols_;  // left of each class that occurs, position by position

  bool has_certificate_ = false;
  int64_t denominator_ = 1;
  bool tells_few_ = false;
  std::vector<View> views_;
  std::vector<int64_t> offsets_;     // of each view, context by context
  std::vector<int64_t> potentials_;  // of each view, pattern by pattern; `missing` if there is none
  std::vector<Slot> patterns_;       // a hash table
  int64_t potential_at_end_ = 0;

  // Of the state that is being evaluated.
  std::vector<int64_t> symbols_left_;    // of each class, by all workers
  int64_t other_left_ = 0;               // weights of all workers' moves
  std::vector<int64_t> in_context_;      // workers
  std::vector<int64_t> offset_of_view_;  // of all workers
  std::vector<int64_t> largest_view_;    // of each context, if the analysed worker stands in it
  std::vector<char> is_weighed_;         // largest_view_ is known
};

// States that no longer matter: from which no schedule gets longer than `witness`.
struct Pruning {
  RemainingBound bound;
  int64_t witness = 0;
};

}  // namespace warpspan::solver
