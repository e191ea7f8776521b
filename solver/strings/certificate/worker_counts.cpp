// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/certificate/worker_counts.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace warpspan::solver {

bool WorkerCounts::can_count(const std::vector<int64_t>& servers) {
  const int64_t most = *std::max_element(servers.begin(), servers.end());
  return servers.size() <= most_classes && most > 1 && most <= most_servers;
}

WorkerCounts::WorkerCounts(const Automaton& automaton, std::vector<int64_t> servers, bool are_told, int64_t most_others)
    : servers_(std::move(servers)), of_class_(servers_.size()), most_others_(most_others) {
  for (size_t c = 0; c < automaton.contexts.size(); ++c) {
    class_of_.push_back(static_cast<size_t>(automaton.contexts[c].front()));
    of_class_[class_of_.back()] |= ContextSet{1} << c;
  }
  for (size_t k = 0; are_told && k < servers_.size(); ++k) {
    if (servers_[k] > 1) counted_ |= ClassSet{1} << k;
  }
}

Arrivals WorkerCounts::arrival(int context) const {
  const size_t k = context == finished ? 0 : class_of(context);
  return context == finished || !counts(k) ? 0 : Arrivals{1} << shift(k);
}

int64_t WorkerCounts::fewest_others(const PatternKey& pattern) const {
  int64_t fewest = 0;
  for (size_t k = 0; k < servers_.size(); ++k) {
    const int64_t occupied = std::popcount(pattern.others & of_class_[k]);
    const bool enough = occupied > 0 && counts(k) && (pattern.few >> k & 1) == 0;
    fewest += enough ? std::max(occupied, servers_[k]) : occupied;
  }
  return fewest;
}

}  // namespace warpspan::solver
