// SPDX-License-Identifier: GPL-3.0-or-later
// Warps whose lanes change words by compare-and-swap loops, simulated on one unit, against the bound for the same
// warps. The unit serves one lane after another, of any round that is under way.
#include "timing/bounds/retries.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "tests/ir/build_kernel.hpp"
#include "tests/thinned.hpp"
#include "tests/timing/in_order.hpp"
#include "tests/timing/toy_machine.hpp"
#include "timing/analysis.hpp"

using namespace warpspan;
using namespace warpspan::timing;

namespace {

enum class Policy { any, oldest, youngest, stale_first, round_robin };

struct Contest {
  int64_t blocks = 1, warps = 2, lanes = 32, words = 1, executions = 1;  // warps: of a block
  int64_t service = 2;                                                   // cycles of a lane
  int64_t apart = 20;                                                    // the most cycles between two rounds of a warp
  bool same_time = false;                                                // always that many
  Policy order = Policy::any;

  int64_t round() const { return apart + lanes * service; }
};

struct Lane {
  size_t word = 0;
  int64_t expected = 0;
  bool left = true;
};

struct Warp {
  size_t block = 0;
  int64_t executions = 0;
  int64_t ready = 0;    // the round under way can be served from then on
  int64_t started = 0;  // of it
  int64_t turn = 0;     // when a lane was last served
  bool begun = false;   // the words were read
  std::vector<Lane> lanes;
  std::vector<size_t> waiting;  // lanes of the round under way that are not served yet
};

class Simulation {
 public:
  Simulation(const Contest& contest, unsigned seed) : contest_(contest), random_(seed) {
    words_.assign(static_cast<size_t>(contest.blocks * contest.words), 0);
    for (int64_t w = 0; w < contest.blocks * contest.warps; ++w) {
      Warp warp;
      warp.block = static_cast<size_t>(w / contest.warps);
      warp.executions = contest.executions;
      warps_.push_back(std::move(warp));
      enter(warps_.back());
    }
  }

  int64_t makespan() {
    while (serve()) {
    }
    return end_;
  }

 private:
  int64_t below(int64_t limit) { return std::uniform_int_distribution<int64_t>(0, limit - 1)(random_); }

  void enter(Warp& warp) {
    warp.lanes.clear();
    for (int64_t l = 0; l < contest_.lanes; ++l) {
      warp.lanes.push_back(
          {warp.block * static_cast<size_t>(contest_.words) + static_cast<size_t>(below(contest_.words)), words_[0],
           true});
    }
    for (Lane& lane : warp.lanes) lane.expected = words_[lane.word];
    start_round(warp);
  }

  void start_round(Warp& warp) {
    warp.ready = now_ + (contest_.same_time ? contest_.apart : below(contest_.apart + 1));
    warp.started = now_;
    for (size_t l = 0; l < warp.lanes.size(); ++l) {
      if (warp.lanes[l].left) warp.waiting.push_back(l);
    }
    std::shuffle(warp.waiting.begin(), warp.waiting.end(), random_);
  }

  bool right(const Lane& lane) const { return words_[lane.word] == lane.expected; }

  // Smaller comes first.
  int64_t rank(const Warp& warp) {
    switch (contest_.order) {
      case Policy::any: return below(1000);
      case Policy::oldest: return warp.started;
      case Policy::youngest: return -warp.started;
      case Policy::stale_first: return right(warp.lanes[warp.waiting.back()]) ? 1 : 0;
      case Policy::round_robin: return warp.turn;
    }
    return 0;
  }

  // Serves one lane; false if all have succeeded.
  bool serve() {
    Warp* next = nullptr;
    int64_t best = 0, earliest = -1;
    for (Warp& warp : warps_) {
      if (warp.waiting.empty()) continue;
      if (earliest < 0 || warp.ready < earliest) earliest = warp.ready;
    }
    if (earliest < 0) return false;
    now_ = std::max(now_, earliest);
    for (Warp& warp : warps_) {
      if (warp.waiting.empty() || warp.ready > now_) continue;
      const int64_t mine = rank(warp);
      if (next == nullptr || mine < best) {
        next = &warp;
        best = mine;
      }
    }
    now_ += contest_.service;
    next->turn = now_;
    Lane& lane = next->lanes[next->waiting.back()];
    next->waiting.pop_back();
    if (right(lane)) {
      words_[lane.word] = ++value_;
      lane.left = false;
    } else {
      lane.expected = words_[lane.word];
    }
    if (next->waiting.empty()) after_round(*next);
    return true;
  }

  void after_round(Warp& warp) {
    const bool left = std::any_of(warp.lanes.begin(), warp.lanes.end(), [](const Lane& lane) { return lane.left; });
    if (left) {
      start_round(warp);
    } else if (--warp.executions > 0) {
      enter(warp);
    } else {
      end_ = std::max(end_, now_);
    }
  }

  const Contest contest_;
  std::mt19937 random_;
  std::vector<int64_t> words_;
  std::vector<Warp> warps_;
  int64_t now_ = 0, end_ = 0, value_ = 0;
};

// The bound for a kernel whose loads are these loops. with_rounds: whether their figures say that they are loops.
int64_t bound(const Contest& contest, bool with_rounds) {
  Machine machine = test::toy_machine();
  machine.issue_gap = 0;
  machine.resources.push_back({"cas", 1, ResourceFigures::Sharing::multiprocessor, Evidence::assumed, "toy"});
  const int64_t cycles = contest.lanes * contest.round();
  OperationFigures figures;
  figures.latency = {0, 0, cycles};
  figures.occupancies = {{0, 0, false, 0}, {3, cycles, false, cycles}};
  if (with_rounds) figures.retries = {{3, cycles}};
  const auto kind = static_cast<size_t>(ir::OperationKind::load_global);
  machine.operations[kind] = machine.otherwise[kind] = figures;
  const test::TestKernel k = test::build_kernel({{std::string(static_cast<size_t>(contest.executions), 'L'), {}}});
  ir::Launch launch;
  launch.block = ir::Extent{contest.warps * warp_size, 1, 1};
  launch.grid = ir::Extent{contest.blocks, 1, 1};
  launch.registers = 16;
  const auto analysis = analyze(k.kernel, k.flow, launch, machine, test::in_order(), {});
  REQUIRE(analysis);
  REQUIRE(analysis->bounds.front().bound.makespan);
  return *analysis->bounds.front().bound.makespan;
}

Contest random_contest(std::mt19937& random) {
  const auto one_of = [&random](std::initializer_list<int64_t> values) {
    return values.begin()[std::uniform_int_distribution<size_t>(0, values.size() - 1)(random)];
  };
  Contest contest;
  contest.blocks = one_of({1, 1, 2, 3, 8});
  contest.warps = contest.blocks > 3 ? one_of({1, 2, 3, 4}) : one_of({1, 2, 3, 4, 6, 8, 10});
  contest.lanes = one_of({1, 2, 3, 4, 8, 16});
  contest.words = one_of({1, 1, 1, 2, 5, 40});
  contest.executions = one_of({1, 1, 2, 3});
  contest.service = one_of({1, 2, 5});
  contest.apart = one_of({0, 1, 3, 20, 100});
  contest.same_time = one_of({0, 1}) != 0;
  contest.order = static_cast<Policy>(one_of({0, 1, 2, 3, 4}));
  return contest;
}

}  // namespace

TEST_CASE("failing rounds of third warps keep a unit busy: without them a run takes longer than the bound") {
  Contest contest;
  contest.warps = 32;
  contest.apart = 256;
  contest.same_time = true;
  contest.order = Policy::oldest;
  const int64_t run = Simulation(contest, 1).makespan();
  CHECK(run > bound(contest, false));
  CHECK(run <= bound(contest, true));
}

TEST_CASE("no run of compare-and-swap loops takes longer than the bound, whichever lane is served next") {
  std::mt19937 random(warpspan::test::first_seed(20, 3000));
  double nearest = 0;
  int64_t above_alone = 0;
  for (int seed = 0; seed < warpspan::test::thinned_seeds(3000); ++seed) {
    const Contest contest = random_contest(random);
    const int64_t run = Simulation(contest, seed).makespan();
    const int64_t most = bound(contest, true);
    CAPTURE(seed, contest.blocks, contest.warps, contest.lanes, contest.words, contest.executions, contest.service,
            contest.apart, contest.same_time, static_cast<int>(contest.order));
    REQUIRE(run <= most);
    if (contest.warps > 1) nearest = std::max(nearest, static_cast<double>(run) / static_cast<double>(most));
    if (run > bound(contest, false)) ++above_alone;
  }
  CAPTURE(nearest, above_alone);
  CHECK(nearest > warpspan::test::or_half(0.5));
  CHECK(above_alone > warpspan::test::or_half(warpspan::test::thinned_seeds(50)));
}

TEST_CASE("a loop is made longer by the warps that share its words, and only by them") {
  Contest contest;
  contest.warps = 1;
  contest.blocks = 8;
  CHECK(bound(contest, true) == bound(contest, false));
  contest.warps = 2;
  contest.blocks = 1;
  const int64_t alone = contest.lanes * contest.round();
  CHECK(bound(contest, true) - bound(contest, false) == 2 * alone);
}

TEST_CASE("rounds on a resource of the device are contended for by all warps, and a result says what it assumes") {
  Machine machine = test::toy_machine();
  machine.resources.push_back({"atomic", 1, ResourceFigures::Sharing::device, Evidence::assumed, "toy"});
  ir::Kernel kernel;
  Load load;
  load.warps_per_block = 2;
  load.device_warps = 6;
  Demand demand;
  demand.critical_path = 1000;
  demand.resources = {{1}, {10}, {0}, {100}};
  demand.attempts = {0, 7, 0, 90};
  const auto occupied = [](const Demand& d) {
    std::vector<int64_t> cycles;
    for (const solver::ResourceDemand& resource : d.resources) cycles.push_back(resource.worker);
    return cycles;
  };
  const auto launched = add_retries(kernel, demand, load, machine);
  REQUIRE(launched);
  CHECK(occupied(*launched) == std::vector<int64_t>{1, 17, 0, 550});
  CHECK(launched->critical_path == 1000);
  REQUIRE(launched->path_terms.size() == 1);
  CHECK(launched->path_terms.front().kind == solver::Part::Kind::failures);
  CHECK(launched->path_terms.front().each == 7 + 450);
  CHECK(launched->contenders == std::vector<int64_t>{1, 1, 1, 5});
  CHECK(launched->assumptions.size() == 1);
  load.warps_per_block = load.device_warps = 1;
  const auto alone = add_retries(kernel, demand, load, machine);
  REQUIRE(alone);
  CHECK(occupied(*alone) == occupied(demand));
  CHECK(alone->path_terms.front().each == 0);
  CHECK(alone->assumptions.empty());
  load.device_warps = int64_t{1} << 62;
  CHECK_FALSE(add_retries(kernel, demand, load, machine));
}

TEST_CASE("a demand of part of the warps counts as that of all where attempts may fail") {
  const Machine machine = test::toy_machine();
  Demand demand;
  demand.resources = {{1}, {10, solver::ResourceDemand::Partial{4, 6}}, {10, solver::ResourceDemand::Partial{4, 6}}};
  demand.attempts = {0, 7, 0};
  const auto launched = add_retries({}, demand, {}, machine);
  REQUIRE(launched);
  CHECK_FALSE(launched->resources[1].partial);
  CHECK(launched->resources[2].partial);
}
