// SPDX-License-Identifier: GPL-3.0-or-later
// Work-conserving by construction: class k takes exactly min(ready workers, servers) workers from the selector in every
// cycle, and a worker that has executed is handed back only after all classes have taken theirs. So whatever a selector
// does, the outcome is a schedule of the problem.
#include "solver/strings/witness/simulation.hpp"

#include <algorithm>

#include "solver/strings/witness/index_set.hpp"

namespace warpspan::solver {

namespace {

class Simulation {
 public:
  Simulation(const std::vector<int>& symbols, size_t workers, const std::vector<int64_t>& servers, Selector& selector,
             Schedule& schedule)
      : symbols_(symbols),
        servers_(servers),
        selector_(selector),
        schedule_(schedule),
        positions_(workers),
        ready_(servers.size()),
        busy_(servers.size()) {
    schedule_.cycles.resize(workers);
    for (auto& cycles : schedule_.cycles) cycles.resize(symbols.size());
    for (size_t worker = 0; worker < workers; ++worker) arrive(worker);
  }

  bool finished() const { return busy_.empty(); }

  // The number of workers that execute.
  size_t step() {
    ++cycle_;
    executing_.clear();
    for (size_t k = busy_.next(0); k < busy_.limit(); k = busy_.next(k + 1)) execute(k);
    selector_.end_cycle();
    for (const size_t worker : executing_) {
      schedule_.cycles[worker][positions_[worker]++] = cycle_;
      if (positions_[worker] < symbols_.size()) arrive(worker);
    }
    return executing_.size();
  }

 private:
  void arrive(size_t worker) {
    const auto k = static_cast<size_t>(symbols_[positions_[worker]]);
    if (ready_[k]++ == 0) busy_.insert(k);
    selector_.arrive(worker, positions_[worker], k);
  }

  void execute(size_t k) {
    const int64_t count = std::min(ready_[k], servers_[k]);
    for (int64_t i = 0; i < count; ++i) executing_.push_back(selector_.take(k));
    ready_[k] -= count;
    if (ready_[k] == 0) busy_.erase(k);
  }

  const std::vector<int>& symbols_;
  const std::vector<int64_t>& servers_;
  Selector& selector_;
  Schedule& schedule_;
  std::vector<size_t> positions_;  // of each worker
  std::vector<int64_t> ready_;     // workers of each class
  IndexSet busy_;                  // classes with ready workers
  std::vector<size_t> executing_;
  int64_t cycle_ = 0;
};

}  // namespace

bool simulate(const std::vector<int>& symbols, size_t workers, const std::vector<int64_t>& servers, Selector& selector,
              Deadline& deadline, Schedule& schedule) {
  Simulation simulation(symbols, workers, servers, selector, schedule);
  while (!simulation.finished()) {
    if (!deadline.go_on(simulation.step())) return false;
  }
  return true;
}

}  // namespace warpspan::solver
