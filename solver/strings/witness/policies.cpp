// SPDX-License-Identifier: GPL-3.0-or-later
// Every selector finds the next worker in an IndexSet, so an execution costs about the same for any number of workers.
#include "solver/strings/witness/policies.hpp"

#include <optional>

#include "solver/strings/witness/index_set.hpp"

namespace warpspan::solver {

namespace {

// A set of workers for each class that occurs in the string.
using WorkerSets = std::vector<IndexSet>;

WorkerSets worker_sets(size_t workers, const std::vector<int>& symbols, size_t classes) {
  WorkerSets sets(classes, IndexSet(0));
  for (const int symbol : symbols) {
    IndexSet& set = sets[static_cast<size_t>(symbol)];
    if (set.limit() == 0) set = IndexSet(workers);
  }
  return sets;
}

size_t taken(IndexSet& set, size_t worker) {
  set.erase(worker);
  return worker;
}

class Convoy : public Selector {
 public:
  Convoy(size_t workers, const std::vector<int>& symbols, size_t classes)
      : occupied_(classes, IndexSet(0)), queues_(symbols.size()), behind_(workers) {
    for (const int symbol : symbols) {
      IndexSet& set = occupied_[static_cast<size_t>(symbol)];
      if (set.limit() == 0) set = IndexSet(symbols.size());
    }
  }

  void arrive(size_t worker, size_t position, size_t k) override {
    Queue& queue = queues_[position];
    const auto last = static_cast<uint32_t>(worker);
    behind_[last] = none;
    (queue.first == none ? queue.first : behind_[queue.last]) = last;
    queue.last = last;
    occupied_[k].insert(position);
  }

  size_t take(size_t k) override {
    const size_t position = occupied_[k].next(0);
    Queue& queue = queues_[position];
    const uint32_t worker = queue.first;
    queue.first = behind_[worker];
    if (queue.first == none) occupied_[k].erase(position);
    return worker;
  }

 protected:
  bool has_ready(size_t k) const { return !occupied_[k].empty(); }

 private:
  static constexpr uint32_t none = UINT32_MAX;

  struct Queue {
    uint32_t first = none;
    uint32_t last = none;
  };
  std::vector<IndexSet> occupied_;  // positions of each class where workers stand
  std::vector<Queue> queues_;       // of the workers at each position
  std::vector<uint32_t> behind_;    // each worker in its queue
};

class StarveOne : public Convoy {
 public:
  StarveOne(size_t workers, const std::vector<int>& symbols, size_t classes)
      : Convoy(workers, symbols, classes), starved_(workers - 1) {}

  void arrive(size_t worker, size_t position, size_t k) override {
    if (worker != starved_) Convoy::arrive(worker, position, k);
  }
  size_t take(size_t k) override { return has_ready(k) ? Convoy::take(k) : starved_; }

 private:
  size_t starved_;
};

class LooseRoundRobin : public Selector {
 public:
  LooseRoundRobin(size_t workers, const std::vector<int>& symbols, size_t classes)
      : ready_(worker_sets(workers, symbols, classes)), start_(classes) {}

  void arrive(size_t worker, size_t, size_t k) override { ready_[k].insert(worker); }
  size_t take(size_t k) override {
    const size_t worker = ready_[k].next_around(start_[k]);
    start_[k] = worker + 1;
    return taken(ready_[k], worker);
  }

 private:
  WorkerSets ready_;
  std::vector<size_t> start_;  // of each class: the first worker to look at
};

class GreedyThenOldest : public Selector {
 public:
  GreedyThenOldest(size_t workers, const std::vector<int>& symbols, size_t classes)
      : greedy_(worker_sets(workers, symbols, classes)), others_(greedy_) {}

  void arrive(size_t worker, size_t, size_t k) override {
    if (is_first_cycle_) {
      others_[k].insert(worker);
    } else {
      greedy_[k].insert(worker);
      arrived_.push_back({worker, k});
    }
  }
  size_t take(size_t k) override {
    IndexSet& set = greedy_[k].empty() ? others_[k] : greedy_[k];
    return taken(set, set.next(0));
  }
  void end_cycle() override {
    is_first_cycle_ = false;
    for (const auto& [worker, k] : arrived_) {
      if (!greedy_[k].contains(worker)) continue;
      greedy_[k].erase(worker);
      others_[k].insert(worker);
    }
    arrived_.clear();
  }

 private:
  struct Arrival {
    size_t worker;
    size_t k;
  };
  WorkerSets greedy_;  // executed in the last cycle
  WorkerSets others_;
  std::vector<Arrival> arrived_;  // since the last cycle
  bool is_first_cycle_ = true;
};

class TwoLevel : public Selector {
 public:
  TwoLevel(size_t workers, const std::vector<int>& symbols, size_t classes)
      : ready_(worker_sets(workers, symbols, classes)), active_(classes), start_(classes) {}

  void arrive(size_t worker, size_t, size_t k) override { ready_[k].insert(worker); }
  size_t take(size_t k) override {
    const size_t worker = ready_of_group(k).value_or(ready_[k].next_around((active_[k] + 1) * group));
    active_[k] = worker / group;
    start_[k] = worker + 1;
    return taken(ready_[k], worker);
  }

 private:
  static constexpr size_t group = 8;

  // The next, round-robin, of the active group.
  std::optional<size_t> ready_of_group(size_t k) const {
    const size_t begin = active_[k] * group, end = begin + group;
    if (const size_t worker = ready_[k].next(start_[k]); worker < std::min(end, ready_[k].limit())) return worker;
    if (const size_t worker = ready_[k].next(begin); worker < start_[k]) return worker;
    return std::nullopt;
  }

  WorkerSets ready_;
  std::vector<size_t> active_;  // group of each class
  std::vector<size_t> start_;   // of each class: the first worker to look at, in the active group or right behind it
};

class VariableRate : public Selector {
 public:
  VariableRate(size_t workers, const std::vector<int>& symbols, size_t classes)
      : others_(workers, symbols, classes),
        fast_is_ready_(classes),
        fast_is_next_(classes, 1),
        others_ready_(classes) {}

  void arrive(size_t worker, size_t position, size_t k) override {
    if (worker == fast) {
      fast_is_ready_[k] = 1;
    } else {
      ++others_ready_[k];
      others_.arrive(worker, position, k);
    }
  }
  size_t take(size_t k) override {
    const bool is_fast = fast_is_ready_[k] != 0 && (fast_is_next_[k] != 0 || others_ready_[k] == 0);
    fast_is_next_[k] = is_fast ? 0 : 1;
    if (is_fast) {
      fast_is_ready_[k] = 0;
      return fast;
    }
    --others_ready_[k];
    return others_.take(k);
  }

 private:
  static constexpr size_t fast = 0;

  LooseRoundRobin others_;
  std::vector<char> fast_is_ready_;  // for each class
  std::vector<char> fast_is_next_;   // of each class
  std::vector<size_t> others_ready_;
};

}  // namespace

std::string_view to_string(Policy policy) {
  switch (policy) {
    case Policy::convoy: return "convoy";
    case Policy::starve_one: return "starve-one";
    case Policy::guided: return "guided";
    case Policy::loose_round_robin: return "lrr";
    case Policy::greedy_then_oldest: return "gto";
    case Policy::two_level: return "two-level";
    case Policy::variable_rate: return "variable-rate";
  }
  return "";
}

std::unique_ptr<Selector> make_selector(Policy policy, size_t workers, const std::vector<int>& symbols,
                                        size_t classes) {
  switch (policy) {
    case Policy::convoy: return std::make_unique<Convoy>(workers, symbols, classes);
    case Policy::starve_one: return std::make_unique<StarveOne>(workers, symbols, classes);
    case Policy::loose_round_robin: return std::make_unique<LooseRoundRobin>(workers, symbols, classes);
    case Policy::greedy_then_oldest: return std::make_unique<GreedyThenOldest>(workers, symbols, classes);
    case Policy::two_level: return std::make_unique<TwoLevel>(workers, symbols, classes);
    case Policy::variable_rate: return std::make_unique<VariableRate>(workers, symbols, classes);
    case Policy::guided: break;
  }
  return nullptr;
}

}  // namespace warpspan::solver
