// SPDX-License-Identifier: GPL-3.0-or-later
// The worst case by trying everything, written as plainly as the problem is stated: each worker on its own, every
// choice of workers in every cycle. Shares nothing with the solvers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace warpspan::solver {

class BruteForce {
 public:
  // Worker w executes the classes strings[w]. At most `resident` workers are under way; the others start in their
  // order, each as soon as one has ended.
  BruteForce(std::vector<std::vector<int>> strings, std::vector<int64_t> servers, size_t resident)
      : strings_(std::move(strings)), servers_(std::move(servers)), resident_(resident) {}

  // Leave out choices in which a worker executes at a position although one that is left out for the same class stands
  // at a position of smaller rank.
  void prefer(std::function<int(int position)> rank) { rank_ = std::move(rank); }

  int64_t worst() { return worst_from(std::vector<int>(strings_.size(), 0)); }

 private:
  using Positions = std::vector<int>;

  bool ended(const Positions& at, size_t w) const { return static_cast<size_t>(at[w]) == strings_[w].size(); }

  // The class that a worker is ready for, or -1.
  int ready_for(const Positions& at, size_t w) const {
    size_t ended_workers = 0;
    for (size_t v = 0; v < at.size(); ++v) ended_workers += ended(at, v) ? 1 : 0;
    if (ended(at, w) || w >= resident_ + ended_workers) return -1;
    return strings_[w][static_cast<size_t>(at[w])];
  }

  bool allowed(const Positions& at, unsigned chosen) const {
    std::vector<int64_t> ready(servers_.size()), executing(servers_.size());
    for (size_t w = 0; w < at.size(); ++w) {
      const int k = ready_for(at, w);
      const bool is_chosen = (chosen >> w & 1) != 0;
      if (k < 0 && is_chosen) return false;
      if (k < 0) continue;
      ++ready[static_cast<size_t>(k)];
      if (is_chosen) ++executing[static_cast<size_t>(k)];
      for (size_t v = 0; rank_ && is_chosen && v < at.size(); ++v) {
        if ((chosen >> v & 1) == 0 && ready_for(at, v) == k && rank_(at[v]) < rank_(at[w])) return false;
      }
    }
    for (size_t k = 0; k < servers_.size(); ++k) {
      if (executing[k] != std::min(ready[k], servers_[k])) return false;
    }
    return true;
  }

  int64_t worst_from(const Positions& at) {
    const auto known = known_.find(at);
    if (known != known_.end()) return known->second;
    int64_t worst = 0;
    for (unsigned chosen = 1; chosen < (1u << at.size()); ++chosen) {
      if (!allowed(at, chosen)) continue;
      Positions next = at;
      for (size_t w = 0; w < at.size(); ++w) next[w] += static_cast<int>(chosen >> w & 1);
      worst = std::max(worst, 1 + worst_from(next));
    }
    return known_[at] = worst;
  }

  std::vector<std::vector<int>> strings_;
  std::vector<int64_t> servers_;
  size_t resident_;
  std::function<int(int)> rank_;
  std::map<Positions, int64_t> known_;
};

inline std::vector<int> classes_of(const std::string& text) {
  std::vector<int> classes;
  for (const char letter : text) classes.push_back(letter == 'L' ? 0 : letter == 'C' ? 1 : 2);
  return classes;
}

// The worst case of `workers` workers that all execute `text`.
inline int64_t brute_force(const std::string& text, size_t workers, const std::vector<int64_t>& servers) {
  return BruteForce(std::vector<std::vector<int>>(workers, classes_of(text)), servers, workers).worst();
}

}  // namespace warpspan::solver
