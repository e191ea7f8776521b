// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks that start in groups: the formula, and simulated runs against it.
#include "solver/makespan/group_bound.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "tests/random_numbers.hpp"

using namespace warpspan;
using namespace warpspan::solver;

namespace {

using test::below;
using test::Random;

GridProblem problem_of(int64_t groups, int64_t workers) {
  GridProblem problem;
  problem.critical_path = 100;
  problem.workers = workers;
  problem.dispatch = {groups, 20, 5};
  return problem;
}

// Sites have one server of each resource. A group has blocks on sites of its own choice, one on each place it takes;
// between two meetings of a group each block takes one of two ways, on which its workers meet.
constexpr size_t resources = 2;
struct Step {
  size_t resource = 0;
  int64_t hold = 1, latency = 1;  // the next step takes place `latency` later at the earliest, hold <= latency
};
using Way = std::vector<std::vector<Step>>;  // pieces, between them the workers of a block meet
struct Work {
  std::vector<std::array<Way, 2>> segments;  // between them those of a group meet
  int64_t sites = 2, groups = 2, blocks = 2, workers = 2, latency = 0, interval = 0;
};

Work random_work(Random& random) {
  Work work;
  work.sites = 1 + below(random, 3);
  work.groups = 1 + below(random, 4);
  work.blocks = 1 + below(random, 3);
  work.workers = 1 + below(random, 3);
  work.latency = below(random, 6);
  work.interval = below(random, 4);
  work.segments.resize(static_cast<size_t>(1 + below(random, 3)));
  for (auto& ways : work.segments) {
    for (Way& way : ways) {
      way.resize(static_cast<size_t>(1 + below(random, 2)));
      for (auto& piece : way) {
        piece.resize(static_cast<size_t>(below(random, 4)));
        for (Step& step : piece) {
          const int64_t hold = below(random, 4);
          step = {static_cast<size_t>(below(random, resources)), hold, std::max<int64_t>(1, hold) + below(random, 4)};
        }
      }
    }
  }
  return work;
}

GridProblem problem_of(const Work& work) {
  GridProblem problem = problem_of(work.groups, work.blocks * work.workers);
  problem.dispatch = {work.groups, work.latency, work.interval};
  problem.sync.order = SyncOrder::in_order;
  problem.critical_path = 0;
  std::array<int64_t, resources> demand = {};
  for (const auto& ways : work.segments) {
    int64_t longest = 0;
    std::array<int64_t, resources> most = {};
    for (const Way& way : ways) {
      int64_t cycles = 0;
      std::array<int64_t, resources> held = {};
      for (const auto& piece : way) {
        for (const Step& step : piece) {
          cycles += step.latency;
          held[step.resource] += step.hold;
        }
      }
      longest = std::max(longest, cycles);
      for (size_t r = 0; r < resources; ++r) most[r] = std::max(most[r], held[r]);
    }
    problem.critical_path += longest;
    for (size_t r = 0; r < resources; ++r) demand[r] += most[r];
  }
  for (size_t r = 0; r < resources; ++r) {
    problem.resources.push_back({std::to_string(r), GridResource::Scope::device, 1, 1, demand[r]});
  }
  return problem;
}

struct Worker {
  size_t group = 0, block = 0;  // block: of all
  int64_t site = 0, may_step = 0;
  size_t segment = 0, piece = 0, step = 0;
  std::vector<size_t> chosen;  // ways, by segment
  bool done = false;
};

class Run {
 public:
  Run(const Work& work, Random& random) : work_(work), random_(random) {
    free_at_.assign(static_cast<size_t>(work.sites) * resources, 0);
  }

  int64_t makespan() {
    int64_t last = 0;
    for (now_ = 0; handed_out_ < work_.groups || running() > 0; ++now_) {
      has_room_ = below(random_, 6) == 0;
      bool any = true;
      while (any) {
        any = hand_out();
        std::shuffle(workers_.begin(), workers_.end(), random_);
        for (Worker& worker : workers_) any = take_step(worker) || any;
        any = meet() || any;
      }
      for (const Worker& worker : workers_) last = std::max(last, worker.may_step);
      REQUIRE(now_ < 100'000);
    }
    return last;
  }

 private:
  // Groups with a worker that has not ended.
  int64_t running() const {
    std::vector<size_t> groups;
    for (const Worker& worker : workers_) {
      if (!worker.done || worker.may_step > now_) groups.push_back(worker.group);
    }
    std::sort(groups.begin(), groups.end());
    return std::unique(groups.begin(), groups.end()) - groups.begin();
  }

  // Whether there is room is known where no group runs, and else as it comes.
  bool hand_out() {
    if (handed_out_ == work_.groups || now_ < dispatcher_free_ || (running() > 0 && !has_room_)) return false;
    for (int64_t b = 0; b < work_.blocks; ++b) {
      const int64_t site = below(random_, work_.sites);
      std::vector<size_t> chosen;
      for (size_t s = 0; s < work_.segments.size(); ++s) chosen.push_back(static_cast<size_t>(below(random_, 2)));
      for (int64_t w = 0; w < work_.workers; ++w) {
        Worker worker;
        worker.group = static_cast<size_t>(handed_out_);
        worker.block = static_cast<size_t>(handed_out_ * work_.blocks + b);
        worker.site = site;
        worker.may_step = now_ + below(random_, work_.latency + 1);
        worker.chosen = chosen;
        workers_.push_back(worker);
      }
    }
    ++handed_out_;
    dispatcher_free_ = now_ + work_.interval;
    return true;
  }

  const Way& way(const Worker& worker) const { return work_.segments[worker.segment][worker.chosen[worker.segment]]; }
  bool at_meeting(const Worker& worker) const {
    return !worker.done && worker.may_step <= now_ && worker.step == way(worker)[worker.piece].size();
  }
  bool of_group(const Worker& worker) const { return worker.piece + 1 == way(worker).size(); }

  bool take_step(Worker& worker) {
    if (worker.done || worker.may_step > now_ || at_meeting(worker)) return false;
    const Step& step = way(worker)[worker.piece][worker.step];
    int64_t& free = free_at_[static_cast<size_t>(worker.site) * resources + step.resource];
    if (free > now_) return false;
    free = now_ + step.hold;
    worker.may_step = now_ + step.latency;
    ++worker.step;
    return true;
  }

  bool meet() {
    for (Worker& worker : workers_) {
      if (!at_meeting(worker)) continue;
      const bool all_of_group = of_group(worker);
      std::vector<Worker*> who;
      for (Worker& other : workers_) {
        if (all_of_group ? other.group == worker.group : other.block == worker.block) who.push_back(&other);
      }
      const auto is_there = [&](const Worker* one) {
        return at_meeting(*one) && one->segment == worker.segment && of_group(*one) == all_of_group;
      };
      if (!std::all_of(who.begin(), who.end(), is_there)) continue;
      for (Worker* one : who) go_on(*one, all_of_group);
      return true;
    }
    return false;
  }

  void go_on(Worker& worker, bool next_segment) const {
    worker.step = 0;
    if (!next_segment) {
      ++worker.piece;
    } else if (worker.segment + 1 == work_.segments.size()) {
      worker.done = true;
    } else {
      ++worker.segment;
      worker.piece = 0;
    }
  }

  const Work& work_;
  Random& random_;
  std::vector<Worker> workers_;
  std::vector<int64_t> free_at_;
  int64_t now_ = 0, handed_out_ = 0, dispatcher_free_ = 0;
  bool has_room_ = false;
};

}  // namespace

TEST_CASE("groups count one after another, and with all that any worker holds") {
  GridProblem problem = problem_of(4, 6);
  problem.resources.push_back({"r", GridResource::Scope::device, 1, 2, 7});
  const Bound bound = group_bound(problem);
  CHECK(bound.makespan == 4 * (100 + 20) + 3 * 5 + 4 * 6 * 7 / 2);
  CHECK(bound.safe);
  problem.sync.order = SyncOrder::in_order;
  CHECK(group_bound(problem).makespan == bound.makespan);
  problem.sync.order = SyncOrder::in_any_order;
  CHECK(group_bound(problem).makespan == 4 * (6 * 100 + 20) + 3 * 5 + 4 * 6 * 7 / 2);
  problem.resources.front().demand.partial = ResourceDemand::Partial{2, 10};
  CHECK(group_bound(problem).makespan == 4 * (6 * 100 + 20) + 3 * 5 + (4 * 6 * 2 + 4 * 10) / 2);
  problem.resources.front().demand.partial = ResourceDemand::Partial{2, 100};
  CHECK(group_bound(problem).makespan == 4 * (6 * 100 + 20) + 3 * 5 + 4 * 6 * 7 / 2);
}

TEST_CASE("a problem of groups outside of its ranges has no value") {
  const auto status = [](const auto& change) {
    GridProblem problem = problem_of(4, 6);
    problem.resources.push_back({"r", GridResource::Scope::device, 1, 1, 7});
    change(problem);
    return group_bound(problem).status;
  };
  CHECK(status([](GridProblem&) {}) == Status::optimal);
  CHECK(status([](GridProblem& p) { p.workers = 0; }) == Status::not_applicable);
  CHECK(status([](GridProblem& p) { p.dispatch.blocks = 0; }) == Status::not_applicable);
  CHECK(status([](GridProblem& p) { p.critical_path = -1; }) == Status::not_applicable);
  CHECK(status([](GridProblem& p) { p.resources.front().demand.worker = -1; }) == Status::not_applicable);
  CHECK(status([](GridProblem& p) { p.critical_path = INT64_MAX; }) == Status::overflow);
}

TEST_CASE("no simulated run of groups that start in any way exceeds the bound, and some come near") {
  Random random(7);
  int64_t near = 0;
  for (int round = 0; round < 4000; ++round) {
    const Work work = random_work(random);
    const Bound bound = group_bound(problem_of(work));
    REQUIRE(bound.makespan);
    for (int run = 0; run < 3; ++run) {
      const int64_t makespan = Run(work, random).makespan();
      INFO(round << ' ' << run);
      REQUIRE(makespan <= *bound.makespan);
      if (makespan * 10 >= *bound.makespan * 7) ++near;
    }
  }
  CHECK(near > 100);
}
