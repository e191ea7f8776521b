// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/witness/policies.hpp"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "solver/strings/witness/index_set.hpp"
#include "tests/solver/strings/brute_force.hpp"

using namespace warpspan::solver;

namespace {

constexpr Policy policies[] = {Policy::convoy,    Policy::starve_one,         Policy::loose_round_robin,
                               Policy::two_level, Policy::greedy_then_oldest, Policy::variable_rate};

using Cycles = std::vector<std::vector<int64_t>>;

Cycles simulated(Policy policy, const std::string& text, size_t workers, const std::vector<int64_t>& servers) {
  const std::vector<int> symbols = classes_of(text);
  Deadline deadline(1e9, nullptr);
  Schedule schedule;
  const auto selector = make_selector(policy, workers, symbols, servers.size());
  REQUIRE(simulate(symbols, workers, servers, *selector, deadline, schedule));
  return schedule.cycles;
}

// The policies once more, as plainly as they are described: of all ready workers the one with the least rank goes.
class Plain {
 public:
  Plain(Policy policy, const std::string& text, size_t workers, std::vector<int64_t> servers)
      : policy_(policy),
        symbols_(classes_of(text)),
        servers_(std::move(servers)),
        workers_(workers),
        last_cycle_(workers),
        order_(workers),
        turn_(servers_.size()),
        group_(servers_.size()),
        fast_(servers_.size(), true),
        cycles_(workers) {
    for (size_t w = 0; w < workers; ++w) order_[w] = w;
  }

  Cycles run() {
    for (int64_t cycle = 1; !finished(); ++cycle) {
      std::vector<size_t> executing;
      for (size_t k = 0; k < servers_.size(); ++k) {
        std::vector<size_t> ready;
        for (size_t w = 0; w < workers_; ++w) {
          if (position(w) < symbols_.size() && symbols_[position(w)] == static_cast<int>(k)) ready.push_back(w);
        }
        for (int64_t i = 0; i < servers_[k] && !ready.empty(); ++i) executing.push_back(take(k, cycle, ready));
      }
      for (const size_t w : executing) {
        cycles_[w].push_back(cycle);
        last_cycle_[w] = cycle;
        order_[w] = ++executions_ + workers_;
      }
    }
    return cycles_;
  }

 private:
  using Rank = std::vector<size_t>;

  size_t position(size_t w) const { return cycles_[w].size(); }
  bool finished() const {
    return std::all_of(cycles_.begin(), cycles_.end(), [&](const auto& c) { return c.size() == symbols_.size(); });
  }
  size_t around(size_t w, size_t from) const { return w >= from ? w - from : w - from + 1'000'000; }

  Rank rank(size_t w, size_t k, int64_t cycle) const {
    switch (policy_) {
      case Policy::convoy: return {position(w), order_[w]};
      case Policy::starve_one: return {w + 1 == workers_ ? size_t{1} : 0, position(w), order_[w]};
      case Policy::loose_round_robin: return {around(w, turn_[k])};
      case Policy::greedy_then_oldest: return {cycle > 1 && last_cycle_[w] == cycle - 1 ? size_t{0} : 1, w};
      case Policy::two_level:
        if (w / 8 == group_[k]) return {0, around(w, turn_[k])};
        return {1, around(w / 8, group_[k]), w};
      case Policy::variable_rate:
        if (w == 0) return {fast_[k] ? size_t{0} : 2};
        return {1, around(w, turn_[k])};
      case Policy::guided: break;
    }
    return {};
  }

  size_t take(size_t k, int64_t cycle, std::vector<size_t>& ready) {
    const auto best = std::min_element(ready.begin(), ready.end(),
                                       [&](size_t a, size_t b) { return rank(a, k, cycle) < rank(b, k, cycle); });
    const size_t w = *best;
    ready.erase(best);
    fast_[k] = w != 0;
    if (policy_ != Policy::variable_rate || w != 0) turn_[k] = w + 1;
    group_[k] = w / 8;
    return w;
  }

  Policy policy_;
  std::vector<int> symbols_;
  std::vector<int64_t> servers_;
  size_t workers_;
  std::vector<int64_t> last_cycle_;
  std::vector<size_t> order_;  // of the last executions
  std::vector<size_t> turn_;
  std::vector<size_t> group_;
  std::vector<bool> fast_;
  size_t executions_ = 0;
  Cycles cycles_;
};

int64_t one_to(std::mt19937& random, uint32_t most) { return 1 + static_cast<int64_t>(random() % most); }

}  // namespace

TEST_CASE("convoy: the least advanced first") {
  CHECK(simulated(Policy::convoy, "LL", 3, {1}) == Cycles{{1, 4}, {2, 5}, {3, 6}});
  CHECK(simulated(Policy::convoy, "LCL", 3, {1, 1}) == Cycles{{1, 2, 4}, {2, 3, 5}, {3, 4, 6}});
}

TEST_CASE("starve-one: the last worker only where nobody else is ready") {
  CHECK(simulated(Policy::starve_one, "LL", 3, {1}) == Cycles{{1, 3}, {2, 4}, {5, 6}});
  CHECK(simulated(Policy::starve_one, "CL", 2, {1, 1}) == Cycles{{1, 2}, {2, 3}});
  CHECK(simulated(Policy::starve_one, "CL", 2, {1, 2}) == Cycles{{1, 2}, {1, 3}});
}

TEST_CASE("loose round robin: in turn") {
  CHECK(simulated(Policy::loose_round_robin, "LL", 3, {1}) == Cycles{{1, 4}, {2, 5}, {3, 6}});
  // In cycle 3 the turn is worker 0's again, although worker 1 is less advanced.
  CHECK(simulated(Policy::loose_round_robin, "LLL", 2, {1}) == Cycles{{1, 3, 5}, {2, 4, 6}});
}

TEST_CASE("greedy then oldest: on with the same, then the one with the smallest number") {
  CHECK(simulated(Policy::greedy_then_oldest, "LL", 3, {1}) == Cycles{{1, 2}, {3, 4}, {5, 6}});
  CHECK(simulated(Policy::greedy_then_oldest, "LCL", 3, {1, 1}) == Cycles{{1, 2, 3}, {2, 3, 4}, {5, 6, 7}});
}

TEST_CASE("two-level: in turn within groups of 8") {
  const Cycles cycles = simulated(Policy::two_level, "LL", 10, {1});
  for (size_t w = 0; w < 8; ++w) {
    const auto first = static_cast<int64_t>(w) + 1;
    CHECK(cycles[w] == std::vector<int64_t>{first, first + 8});
  }
  CHECK(cycles[8] == std::vector<int64_t>{17, 19});
  CHECK(cycles[9] == std::vector<int64_t>{18, 20});
}

TEST_CASE("variable rate: every second turn is the first worker's") {
  CHECK(simulated(Policy::variable_rate, "LLL", 3, {1}) == Cycles{{1, 3, 5}, {2, 6, 8}, {4, 7, 9}});
}

TEST_CASE("the policies' names") {
  CHECK(to_string(Policy::convoy) == "convoy");
  CHECK(to_string(Policy::starve_one) == "starve-one");
  CHECK(to_string(Policy::guided) == "guided");
  CHECK(to_string(Policy::loose_round_robin) == "lrr");
  CHECK(to_string(Policy::greedy_then_oldest) == "gto");
  CHECK(to_string(Policy::two_level) == "two-level");
  CHECK(to_string(Policy::variable_rate) == "variable-rate");
  CHECK(make_selector(Policy::guided, 2, {0}, 1) == nullptr);
}

TEST_CASE("the policies against their descriptions") {
  std::mt19937 random(5);
  for (int round = 0; round < 150; ++round) {
    std::string text;
    for (size_t i = 0, length = 1 + random() % 9; i < length; ++i) text += "LCS"[random() % 3];
    const size_t workers = 1 + random() % 30;
    const std::vector<int64_t> servers = {one_to(random, 3), one_to(random, 2), 1};
    for (const Policy policy : policies) {
      INFO(text << ", " << workers << " workers, " << to_string(policy));
      const Cycles cycles = simulated(policy, text, workers, servers);
      CHECK(cycles == Plain(policy, text, workers, servers).run());
      CHECK(makespan_of({cycles}, classes_of(text), servers).has_value());
    }
  }
}

TEST_CASE("a simulation ends when it is cancelled") {
  const std::vector<int> symbols(1000, 0);
  std::atomic<bool> cancel = true;
  Deadline deadline(1e9, &cancel);
  Schedule schedule;
  CHECK_FALSE(simulate(symbols, 1000, {1}, *make_selector(Policy::convoy, 1000, symbols, 1), deadline, schedule));
}

TEST_CASE("sets of small numbers") {
  std::mt19937 random(3);
  for (const size_t limit : {0, 1, 63, 64, 65, 4096, 4097, 300'000}) {
    IndexSet set(limit);
    std::set<size_t> expected;
    CHECK(set.empty());
    CHECK(set.next(0) == limit);
    for (int round = 0; limit > 0 && round < 500; ++round) {
      const size_t i = random() % limit;
      if (random() % 3 == 0) {
        set.erase(i);
        expected.erase(i);
      } else {
        set.insert(i);
        expected.insert(i);
      }
      const size_t from = random() % (limit + 1);
      const auto next = expected.lower_bound(from);
      REQUIRE(set.next(from) == (next == expected.end() ? limit : *next));
      REQUIRE(set.contains(i) == (expected.count(i) == 1));
      REQUIRE((from < limit && set.contains(from)) == (next != expected.end() && *next == from));
      REQUIRE(set.empty() == expected.empty());
      if (!set.empty()) REQUIRE(set.next_around(from) == (next == expected.end() ? *expected.begin() : *next));
    }
  }
}
