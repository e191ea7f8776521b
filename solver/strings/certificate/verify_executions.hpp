// SPDX-License-Identifier: GPL-3.0-or-later
// How the others of one class execute in a step, for the check of certificates: one after another.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>

#include "solver/strings/certificate/certificate.hpp"
#include "support/checked.hpp"

namespace warpspan::solver {

// Holds what it has found, for a certificate whose contexts, moves and views fit together.
class CertificateExecutions {
 public:
  using Set = uint32_t;
  using Counts = uint64_t;  // of arrivals at the classes that patterns report, each up to its number of servers

  static constexpr size_t most_told_classes = 8;

  // What the others of a class do in a step from the view `source` to `view`.
  struct Execution {
    size_t source, view;
    Set occupied;            // contexts of the class
    bool few;                // as in the pattern
    bool followed_is_ready;  // for the class
    bool followed_executes;  // it too
    friend auto operator<=>(const Execution&, const Execution&) = default;
  };
  struct After {
    Set stay = 0;         // where some stay; from the other contexts all have gone
    Set arrived = 0;      // where some arrive
    Counts arrivals = 0;  // and how many
    friend auto operator<=>(const After&, const After&) = default;
  };
  // The least weight of the moves, and of one worker in each context that stays.
  using Least = std::map<After, support::WideInteger>;

  // `work` counts steps; beyond `most_work` what is found is not complete.
  CertificateExecutions(const Certificate& certificate, size_t& work, size_t most_work)
      : certificate_(certificate), work_(work), most_work_(most_work) {}

  // Patterns report whether others are few for the class.
  bool is_told(size_t k) const { return certificate_.tells_few && certificate_.servers[k] > 1; }

  int64_t offset(size_t view, size_t context) const { return certificate_.views[view].offsets[context]; }

  int64_t count(Counts counts, size_t k) const { return static_cast<int64_t>(counts >> (8 * k) & 255); }

  // Both, each count up to its number of servers.
  Counts added(Counts a, Counts b) const;

  // Of the others of class k, for every choice of workers of the class that may execute.
  const Least& least_weights(const Execution& execution, size_t k);

 private:
  size_t class_of(int context) const {
    return static_cast<size_t>(certificate_.contexts[static_cast<size_t>(context)].front());
  }

  Least after_one_more(const Least& reached, const Execution& execution);

  const Certificate& certificate_;
  size_t& work_;
  size_t most_work_;
  std::map<Execution, Least> least_;
};

}  // namespace warpspan::solver
