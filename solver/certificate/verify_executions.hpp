// How the others of one class execute in a step, for the check of certificates: one after another.
#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>

#include "solver/certificate/certificate.hpp"
#include "solver/certificate/verify_numbers.hpp"

namespace warpspan::solver {

// Holds what it has found, for a certificate whose contexts, moves and views fit together.
class CertificateExecutions {
 public:
  using Set = uint32_t;
  using Counts = uint64_t;  // of arrivals at the classes of which patterns tell, each up to its number of servers

  static constexpr size_t most_told_classes = 8;

  // What the others of a class do in a step from the view `source` to `view`.
  struct Execution {
    size_t source, view;
    Set occupied;            // contexts of the class
    bool few;                // as the pattern tells
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
  using Least =
      std::map<After, WideInteger>;  // -> least weight of the moves, and of one worker in each context that stays

  // `work` counts steps; beyond `most_work` what is found is not complete.
  CertificateExecutions(const Certificate& certificate, size_t& work, size_t most_work)
      : certificate_(certificate), work_(work), most_work_(most_work) {}

  // Patterns tell of the class whether others are few.
  bool is_told(size_t k) const { return certificate_.tells_few && certificate_.servers[k] > 1; }

  int64_t offset(size_t view, size_t context) const { return certificate_.views[view].offsets[context]; }

  int64_t count(Counts counts, size_t k) const { return static_cast<int64_t>(counts >> (8 * k) & 255); }

  // Both, each count up to its number of servers.
  Counts added(Counts a, Counts b) const {
    Counts sum = 0;
    for (size_t k = 0; k < certificate_.servers.size(); ++k) {
      if (!is_told(k)) continue;
      sum |= static_cast<Counts>(std::min(count(a, k) + count(b, k), certificate_.servers[k])) << (8 * k);
    }
    return sum;
  }

  // Of the others of class k, for every way in which the class may execute.
  const Least& least_weights(const Execution& execution, size_t k) {
    const auto [slot, is_new] = least_.try_emplace(execution);
    if (!is_new) return slot->second;
    Least& least = slot->second;
    const Set occupied = execution.occupied;
    const int64_t servers = certificate_.servers[k] - (execution.followed_executes ? 1 : 0);
    const bool enough = is_told(k) && !execution.few;  // at least as many others as the class has servers
    const bool followed_waits = execution.followed_is_ready && !execution.followed_executes;
    if (occupied == 0) {
      if (!followed_waits) least[{}] = 0;
      return least;
    }
    const bool may_be_all_and_fewer = !followed_waits && !enough;
    Least reached{{{occupied, 0, 0}, 0}};
    const int64_t most = execution.few ? certificate_.servers[k] - 1 : servers;
    for (int64_t n = 0; n <= most; ++n) {
      for (const auto& [after, weight] : reached) {
        const bool all = after.stay == 0;
        // Fewer than the class has servers for them: then all. As many as there are servers: perhaps all, unless there
        // are more.
        const bool possible = execution.few ? all
                              : n < servers ? all && may_be_all_and_fewer
                                            : !(all && enough && execution.followed_executes);
        if (!possible) continue;
        WideInteger sum = weight;
        for (Set rest = after.stay; rest != 0; rest &= rest - 1) {
          const auto context = static_cast<size_t>(std::countr_zero(rest));
          sum += WideInteger(offset(execution.source, context)) - offset(execution.view, context);
        }
        const auto [known, first] = least.try_emplace(after, sum);
        if (!first) known->second = min(known->second, sum);
      }
      if (n < most) reached = after_one_more(reached, execution);
    }
    return least;
  }

 private:
  static constexpr size_t work_of_a_part = 512;  // of a step; it takes memory

  size_t class_of(int context) const {
    return static_cast<size_t>(certificate_.contexts[static_cast<size_t>(context)].front());
  }

  Least after_one_more(const Least& reached, const Execution& execution) {
    Least longer;
    for (const auto& [after, weight] : reached) {
      for (const Certificate::Move& move : certificate_.moves) {
        const Set from = Set{1} << move.from;
        if ((execution.occupied & from) == 0) continue;
        work_ += work_of_a_part;
        if (work_ > most_work_) return longer;  // too large: what is missing here is never used
        After next = after;
        WideInteger sum = weight + move.other + offset(execution.source, static_cast<size_t>(move.from));
        if (move.to != finished) {
          next.arrived |= Set{1} << move.to;
          const size_t k = class_of(move.to);
          if (is_told(k)) next.arrivals = added(next.arrivals, Counts{1} << (8 * k));
          sum -= offset(execution.view, static_cast<size_t>(move.to));
        }
        for (const Set stay : {next.stay, next.stay & ~from}) {
          next.stay = stay;
          const auto [known, first] = longer.try_emplace(next, sum);
          if (!first) known->second = min(known->second, sum);
        }
      }
    }
    return longer;
  }

  const Certificate& certificate_;
  size_t& work_;
  size_t most_work_;
  std::map<Execution, Least> least_;
};

}  // namespace warpspan::solver
