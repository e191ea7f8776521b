// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/certificate/verify_executions.hpp"

#include <algorithm>
#include <bit>

namespace warpspan::solver {

using support::WideInteger;

namespace {

constexpr size_t work_of_a_part = 512;  // of a step; it takes memory

}  // namespace

CertificateExecutions::Counts CertificateExecutions::added(Counts a, Counts b) const {
  Counts sum = 0;
  for (size_t k = 0; k < certificate_.servers.size(); ++k) {
    if (!is_told(k)) continue;
    sum |= static_cast<Counts>(std::min(count(a, k) + count(b, k), certificate_.servers[k])) << (8 * k);
  }
  return sum;
}

const CertificateExecutions::Least& CertificateExecutions::least_weights(const Execution& execution, size_t k) {
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

CertificateExecutions::Least CertificateExecutions::after_one_more(const Least& reached, const Execution& execution) {
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

}  // namespace warpspan::solver
