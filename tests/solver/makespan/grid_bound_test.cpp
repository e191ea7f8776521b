// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/makespan/grid_bound.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "solver/strings/bounds/list_bound.hpp"
#include "tests/solver/strings/problems.hpp"

using namespace warpspan::solver;

namespace {

constexpr auto site = GridResource::Scope::site;
constexpr auto device = GridResource::Scope::device;

int64_t value(const GridProblem& problem) {
  const Bound bound = grid_bound(problem);
  REQUIRE(bound.status == Status::optimal);
  REQUIRE(bound.safe);
  return bound.makespan.value();
}

std::string refusal(const GridProblem& problem) {
  const Bound bound = grid_bound(problem);
  REQUIRE(bound.status == Status::not_applicable);
  REQUIRE_FALSE(bound.makespan.has_value());
  REQUIRE_FALSE(bound.safe);
  return bound.remark;
}

// Blocks of 4 workers on 2 sites of 2 places.
GridProblem example(int64_t blocks) {
  GridProblem problem;
  problem.critical_path = 100;
  problem.workers = 4;
  problem.sites = 2;
  problem.least_slots = problem.most_slots = 2;
  problem.dispatch = {blocks, 7, 3};
  problem.resources = {{"unit", site, 1, 1, 10}, {"memory", device, 1, 1, 20}};
  return problem;
}

// The theorem of grid_bound.cpp, as it stands there, for one k.
using warpspan::support::Integer;

Integer of_the_site(const GridProblem& p, int64_t k) {
  const int64_t n = (p.dispatch.blocks - 1) / p.sites, m = std::min(p.most_slots, p.dispatch.blocks);
  const int64_t apart = p.least_slots == 1 ? k + 1 : std::max<int64_t>(1, k);
  const bool any_order = p.sync.order == SyncOrder::in_any_order;
  if (p.dealing == Dealing::round_robin) return Integer(n + 1) * p.workers - (any_order ? 0 : apart);
  const Integer all = Integer(k == 0 ? 0 : n) * p.workers + Integer(m) * p.workers;
  return any_order ? all : all - (k + 1);
}

// Of the theorem of pieces, what is added for the changes of the followed worker; a lot if nothing is known of them.
Integer crossing(const GridProblem& p, const GridResource& r, int64_t changes) {
  const int64_t n = (p.dispatch.blocks - 1) / p.sites;
  const int64_t beside = std::min(p.most_slots, p.dealing == Dealing::round_robin ? n + 1 : p.dispatch.blocks) - 1;
  const int64_t u = (p.workers + r.copies - 1) / r.copies, more = r.demand.worker - r.demand_elsewhere;
  const bool is_split = r.demand.partial && r.demand.partial->each < r.demand.worker;
  if (!p.sync.points || !r.demand.interval || is_split || more == 0) return int64_t{1} << 40;
  return (u * beside * changes * *r.demand.interval + more - 1) / more;
}

Integer on_the_copy(const GridProblem& p, const GridResource& r, int64_t k) {
  const int64_t n = (p.dispatch.blocks - 1) / p.sites, m = std::min(p.most_slots, p.dispatch.blocks);
  const Integer w = p.workers, u = (p.workers + r.copies - 1) / r.copies, blocks = n + 1;
  const Integer stays = (u - 1) * k + u * k * (p.most_slots - 1);
  if (p.sync.order == SyncOrder::in_any_order) return of_the_site(p, k);
  const bool in_order = p.sync.order == SyncOrder::in_order;
  if (p.dealing == Dealing::round_robin) {
    const int64_t apart = p.least_slots == 1 ? k + 1 : std::max<int64_t>(1, k);
    if (in_order) {
      const Integer changes =
          crossing(p, r, p.sync.points.value_or(0)) + crossing(p, r, p.sync.points.value_or(0) + 1) * k;
      return min((blocks - apart) * w + (u - 1) * apart, blocks * u - apart + changes);
    }
    return min(min(blocks * w - apart, (blocks * u - 1) * (k + 1)), u * (blocks - apart) + stays + u - 1);
  }
  if (in_order) {
    const Integer last = min(w * (m - 1) + u - 1, u * m - 1 + crossing(p, r, p.sync.points.value_or(0)));
    if (k == 0) return last;
    const Integer changes = crossing(p, r, p.sync.points.value_or(0) + 1) * k;
    return min(w * (n - k) + (u - 1) * k, u * n - k + changes) + last;
  }
  if (k == 0) return u * m - 1;
  return min(min(w * n - k, (u * n - 1) * k), u * (n - k) + stays) + u * m - 1;
}

Integer of_the_device(const GridProblem& p, int64_t k) {
  const Integer all = Integer(p.dispatch.blocks) * p.workers;
  if (p.sync.order == SyncOrder::in_any_order) return all;
  if (p.dealing == Dealing::round_robin) return all - (p.least_slots == 1 ? k + 1 : std::max<int64_t>(1, k));
  return k == 0 ? all - 1 : all - (k - 1);
}

Integer blocks_of(const GridProblem& p, const GridResource& r, int64_t k) {
  const int64_t n = (p.dispatch.blocks - 1) / p.sites, m = std::min(p.most_slots, p.dispatch.blocks);
  if (r.scope == device) return p.dispatch.blocks;
  if (p.dealing == Dealing::round_robin) return n + 1;
  return k == 0 ? m : std::min(n + m, p.dispatch.blocks);
}

int64_t formula(const GridProblem& p, int64_t k) {
  const int64_t blocks = p.dispatch.blocks;
  const int64_t followed = p.sync.order == SyncOrder::in_any_order ? p.workers : 1;
  Integer sum = Integer(k + 1) * (Integer(followed) * p.critical_path + p.dispatch.latency) +
                Integer(blocks - 1 - k) * p.dispatch.interval;
  for (const GridResource& r : p.resources) {
    const Integer others = r.scope == device ? of_the_device(p, k) : on_the_copy(p, r, k);
    const Integer whole = floor_divide(others * r.demand.worker, r.servers);
    const ResourceDemand::Partial split = r.demand.partial.value_or(ResourceDemand::Partial{r.demand.worker, 0});
    sum += min(whole, floor_divide(others * split.each + blocks_of(p, r, k) * split.block, r.servers));
    if (r.scope == site) sum += (of_the_site(p, k) - others) * r.demand_elsewhere;
  }
  return sum.value().value();
}

// Of all k; where blocks are dealt in turn, as if one place were sure, if that says more. at: the last such k.
int64_t over_all_chains(const GridProblem& p, int64_t& at) {
  const int64_t longest = (p.dispatch.blocks - 1) / p.sites / p.least_slots;
  int64_t largest = 0;
  for (int64_t k = 0; k <= longest; ++k) {
    if (formula(p, k) > largest) largest = formula(p, at = k);
  }
  if (p.dealing == Dealing::any_site || p.least_slots == 1) return largest;
  GridProblem one_slot = p;
  one_slot.least_slots = 1;
  return std::min(largest, over_all_chains(one_slot, at));
}

constexpr SyncOrder orders[] = {SyncOrder::never, SyncOrder::in_order, SyncOrder::in_any_order};

}  // namespace

TEST_CASE("one block needs its critical path and what its workers hold") {
  const Bound bound = grid_bound(example(1));
  CHECK(bound.makespan == 107 + 3 * 10 + 3 * 20);
  CHECK(bound.method == "grid");
  CHECK(bound.kind == Kind::upper);
  CHECK(bound.safe);
  CHECK(bound.assumptions ==
        std::vector<std::string>{
            "A worker that could go on and does not finds all servers of some resource held by other workers.",
            "The dispatcher is greedy: while a block waits, no place for it is free, but for the time in which another "
            "block is handed out."});
}

TEST_CASE("one block alone has the workers of one copy to wait for, and all others where they are in the way") {
  for (int64_t workers = 1; workers < 9; ++workers) {
    for (int64_t copies = 1; copies < 5; ++copies) {
      GridProblem grid;
      grid.critical_path = 50;
      grid.workers = workers;
      grid.resources = {{"slot", site, copies, 1, {12}, 5, "elsewhere"}, {"memory", device, 1, 3, {20}}};
      const int64_t here = (workers + copies - 1) / copies - 1, elsewhere = workers - 1 - here;
      for (const SyncOrder order : {SyncOrder::never, SyncOrder::in_order}) {
        for (const Dealing dealing : {Dealing::any_site, Dealing::round_robin}) {
          grid.sync.order = order;
          grid.dealing = dealing;
          CHECK(value(grid) == 50 + here * 12 + elsewhere * 5 + (workers - 1) * 20 / 3);
        }
      }
    }
  }
}

TEST_CASE("without latencies the grid bound of one block is the list bound") {
  for (const std::string& text : two_class_strings(5)) {
    const auto l = std::count(text.begin(), text.end(), 'L'), c = std::count(text.begin(), text.end(), 'C');
    for (int64_t workers = 1; workers < 6; ++workers) {
      GridProblem grid;
      grid.critical_path = l + c;
      grid.workers = workers;
      grid.resources = {{"L", site, 1, 1, l}, {"C", site, 1, 2, c}};
      REQUIRE(grid_bound(grid).makespan == list_bound(problem(text, workers, {1, 2})).makespan);
    }
  }
}

TEST_CASE("blocks that are dealt in turn and fit at once share a copy with the workers bound to it") {
  GridProblem problem = example(8);  // 4 blocks of 4 workers on each of 2 sites
  problem.dispatch = {8, 0, 0};
  problem.dealing = Dealing::round_robin;
  problem.least_slots = problem.most_slots = 4;
  problem.resources = {{"slot", site, 4, 1, 10}};
  CHECK(value(problem) == 100 + 3 * 10);
  problem.most_slots = 9;  // the blocks of a site are no more for it
  CHECK(value(problem) == 100 + 3 * 10);
  problem.sync.order = SyncOrder::in_order;
  CHECK(value(problem) == 100 + 12 * 10);
  // One after another: a worker of each followed, on a copy of its own each.
  problem.least_slots = problem.most_slots = 1;
  CHECK(value(problem) == 4 * 100);
  problem.sync.order = SyncOrder::never;
  CHECK(value(problem) == 4 * 100);
  problem.sync.order = SyncOrder::in_any_order;  // all workers, one after another
  CHECK(value(problem) == 4 * (4 * 100) + 16 * 10);
  problem.sync.order = SyncOrder::never;
  const Bound bound = grid_bound(problem);
  CHECK(bound.method == "pipeline");
  CHECK(bound.assumptions.back() ==
        "A block that waits is handed out as soon as there is room for it and no other block is being handed out.");
  problem.dispatch.blocks = 1;
  CHECK(grid_bound(problem).assumptions.back() == "All workers start together.");
}

TEST_CASE("the parts of the grid bound add up and say who is waited for") {
  // 4 blocks fit together on one site: k = 0. 5 blocks: 2 before the last one on a site of 2 places, so k is 0 or 1.
  const Bound together = grid_bound(example(2));
  CHECK(together.makespan == 107 + 3 * 1 + (2 * 4 - 1) * 10 + (2 * 4 - 1) * 20);
  const Bound bound = grid_bound(example(5));
  CHECK(bound.makespan == 2 * 107 + 3 * 3 + (2 * 4 - 1 + 2 * 4 - 1) * 10 + 5 * 4 * 20);
  REQUIRE(bound.parts.size() == 5);
  int64_t sum = 0;
  for (const Part& part : bound.parts) {
    sum += part.cycles;
    CHECK(part.cycles == part.workers * part.demand / part.servers);
  }
  CHECK(sum == bound.makespan);
  CHECK(bound.parts[0].kind == Part::Kind::path);
  CHECK(bound.parts[0].workers == 2);
  CHECK(bound.parts[1].kind == Part::Kind::start);
  CHECK(bound.parts[2].name == "unit");
  CHECK(bound.parts[2].workers == 14);
  CHECK(bound.parts[3].name == "memory");
  CHECK(bound.parts[3].workers == 20);
  CHECK(bound.parts[4].kind == Part::Kind::dispatch);
  CHECK(bound.parts[4].workers == 3);
}

TEST_CASE("workers stay with their copy unless they may wait for one another") {
  GridProblem problem = example(3);  // all resident at once
  problem.dispatch = {3, 0, 0};
  problem.most_slots = 4;
  problem.resources = {{"slot", site, 4, 1, 10}};
  problem.least_slots = 2;
  CHECK(value(problem) == 100 + (3 * 1 - 1) * 10);
  problem.sync.order = SyncOrder::in_order;  // all 8 workers of the other blocks, none of the own one
  CHECK(value(problem) == 100 + 8 * 10);
  problem.workers = 6;  // 2 of the own block on a copy
  CHECK(value(problem) == 100 + (12 + 1) * 10);
}

TEST_CASE(
    "where workers meet, those of other blocks are on the copy that is followed for a piece more at each change") {
  GridProblem problem = example(3);  // all resident at once
  problem.dispatch = {3, 0, 0};
  problem.most_slots = 4;
  problem.least_slots = 2;
  problem.workers = 8;
  problem.sync.order = SyncOrder::in_order;
  problem.resources = {{"slot", site, 4, 1, 1000}};
  CHECK(value(problem) == 100 + (2 * 8 + 1) * 1000);
  problem.sync.points = 10;
  CHECK(value(problem) == 100 + (2 * 8 + 1) * 1000);
  problem.resources[0].demand.interval = 100;  // 10 changes, 2 workers of 2 other blocks at each
  CHECK(value(problem) == 100 + (3 * 2 - 1 + 4) * 1000);
  problem.resources[0].demand.interval = 101;
  CHECK(value(problem) == 100 + (3 * 2 - 1 + 5) * 1000);
  problem.resources[0].demand_elsewhere = 500;  // a worker more on the copy is one less elsewhere
  CHECK(value(problem) == 100 + (3 * 2 - 1 + 9) * 1000 + (23 - 14) * 500);
  problem.resources[0].demand.interval = 1000;
  CHECK(value(problem) == 100 + (2 * 8 + 1) * 1000 + 6 * 500);
  problem.resources[0].demand.interval = -1;
  CHECK(refusal(problem) == "the demand of an interval for resource 'slot' is negative");
  problem.sync.points = -1;
  CHECK(refusal(problem) == "the number of sync points is negative");
}

TEST_CASE("the grid bound covers every number of blocks that may follow one another, and closely") {
  std::mt19937 random(11);
  const auto up_to = [&](int64_t most) { return static_cast<int64_t>(random() % static_cast<uint32_t>(most + 1)); };
  int inner = 0, last = 0, less = 0, by_piece = 0;
  for (int i = 0; i < 20000; ++i) {
    GridProblem problem;
    problem.critical_path = up_to(60);
    problem.workers = 1 + up_to(6);
    problem.sites = 1 + up_to(2);
    problem.least_slots = 1 + up_to(2);
    problem.most_slots = problem.least_slots + up_to(3);
    problem.dispatch = {1 + up_to(40), up_to(5), up_to(2)};
    problem.sync.order = orders[up_to(2)];
    if (up_to(2) > 0) problem.sync.points = up_to(6);
    problem.dealing = up_to(1) == 1 ? Dealing::any_site : Dealing::round_robin;
    for (int64_t r = up_to(4); r > 0; --r) {
      const auto scope = up_to(1) == 1 ? site : device;
      problem.resources.push_back({"r", scope, scope == site ? 1 + up_to(4) : 1, 1 + up_to(3), up_to(15)});
      GridResource& added = problem.resources.back();
      if (scope == site && added.servers == 1) added.demand_elsewhere = up_to(added.demand.worker);
      if (up_to(2) > 0) added.demand.interval = up_to(added.demand.worker);
      if (up_to(1) == 1 || added.demand_elsewhere > 0) continue;
      added.demand.partial = {up_to(added.demand.worker), up_to(added.demand.worker * problem.workers)};
    }
    const int64_t longest = (problem.dispatch.blocks - 1) / problem.sites / problem.least_slots;
    int64_t at = 0;
    const int64_t largest = over_all_chains(problem, at);
    const int64_t slack = std::max<int64_t>(0, static_cast<int64_t>(problem.resources.size()) - 1);
    REQUIRE(value(problem) >= largest);
    REQUIRE(value(problem) <= largest + slack);
    inner += at > 0 && at < longest ? 1 : 0;
    last += at > 0 && at == longest ? 1 : 0;
    GridProblem whole = problem;
    for (GridResource& resource : whole.resources) resource.demand.partial.reset();
    if (!problem.sync.points) REQUIRE(value(problem) <= value(whole) + slack);
    less += value(problem) < value(whole) ? 1 : 0;
    GridProblem by_block = whole;
    by_block.sync.points.reset();
    REQUIRE(value(whole) <= value(by_block) + slack);
    by_piece += value(whole) < value(by_block) ? 1 : 0;
  }
  CHECK(by_piece > 500);
  CHECK(inner > 0);
  CHECK(last > 0);
  CHECK(less > 1000);
}

TEST_CASE("steps of few workers count by block where that is less") {
  GridProblem problem = example(5);  // k = 1: all 20 workers use the memory, those of the 4 blocks of a site the unit
  problem.resources[1].demand.partial = {4, 17};
  const Bound bound = grid_bound(problem);
  CHECK(bound.makespan == 2 * 107 + 3 * 3 + 14 * 10 + 20 * 4 + 5 * 17);
  REQUIRE(bound.parts.size() == 6);
  CHECK(bound.parts[3].kind == Part::Kind::resource);
  CHECK(bound.parts[3].workers == 20);
  CHECK(bound.parts[3].demand == 4);
  CHECK(bound.parts[4].kind == Part::Kind::blocks);
  CHECK(bound.parts[4].name == "memory");
  CHECK(bound.parts[4].cycles == 5 * 17);
  CHECK(bound.parts[4].workers == 5);
  CHECK(bound.parts[4].demand == 17);
  problem.resources[0].demand.partial = {9, 2};
  CHECK(value(problem) == *bound.makespan - 14 * 10 + 14 * 9 + 4 * 2);
  problem.resources[0].demand.partial = {9, 5};  // 146 instead of 140
  CHECK(value(problem) == *bound.makespan);
  problem.resources[0].demand.partial = {0, 10};
  CHECK(value(problem) == *bound.makespan - 14 * 10 + 4 * 10);
  // Both parts are rounded down together.
  problem.resources[1].servers = 3;
  problem.resources[1].demand.partial = {4, 17};
  const Bound shared = grid_bound(problem);
  CHECK(shared.parts[3].cycles + shared.parts[4].cycles == (20 * 4 + 5 * 17) / 3);
}

TEST_CASE("a million blocks are bounded as fast as one") {
  GridProblem problem = example(1'000'000'000'000);
  problem.resources = {{"unit", site, 4, 3, 10}, {"memory", device, 1, 7, 20}};
  constexpr int64_t most = 499'999'999'999 / 2;
  const int64_t unit = 499'999'999'999 + 2 - 1, memory = 4'000'000'000'000 - most + 1;
  CHECK(value(problem) >= (most + 1) * 107 + (999'999'999'999 - most) * 3 + unit * 10 / 3 + memory * 20 / 7);
}

TEST_CASE("larger demands, latencies and numbers of blocks never lower the grid bound") {
  std::mt19937 random(12);
  const auto up_to = [&](int64_t most) { return static_cast<int64_t>(random() % static_cast<uint32_t>(most + 1)); };
  for (int i = 0; i < 2000; ++i) {
    GridProblem base = example(1 + up_to(30));
    base.workers = 1 + up_to(5);
    base.most_slots += up_to(3);
    base.sync.order = orders[up_to(2)];
    base.dealing = up_to(1) == 1 ? Dealing::any_site : Dealing::round_robin;
    base.resources = {{"slot", site, 1 + up_to(3), 1, up_to(20)}, {"memory", device, 1, 1, up_to(20)}};
    const int64_t bound = value(base);
    GridProblem longer = base, busier = base, fuller = base, roomier = base, later = base;
    longer.critical_path += 1;
    busier.resources[1].demand.worker += 1;
    fuller.dispatch.blocks += 1;
    roomier.most_slots += 1;
    later.dispatch.latency += 1;
    for (const GridProblem& larger : {longer, busier, fuller, roomier, later}) CHECK(value(larger) >= bound);
    GridProblem surer = base, more = base;
    surer.least_slots += 1;
    surer.most_slots = more.most_slots = std::max(base.most_slots, surer.least_slots);
    CHECK(value(surer) <= value(more));
  }
}

TEST_CASE("a grid problem outside of its ranges is refused") {
  const auto with = [](auto change) {
    GridProblem problem = example(3);
    change(problem);
    return refusal(problem);
  };
  CHECK(with([](GridProblem& p) { p.critical_path = -1; }) == "the critical path is negative");
  CHECK(with([](GridProblem& p) { p.path_terms = {{Part::Kind::code, 0, -1}}; }) == "a term of the path is negative");
  CHECK(with([](GridProblem& p) { p.workers = 0; }) == "a block has no worker");
  CHECK(with([](GridProblem& p) { p.sites = 0; }) == "there is no site");
  CHECK(with([](GridProblem& p) { p.least_slots = 0; }) == "a site may have no slot");
  CHECK(with([](GridProblem& p) { p.most_slots = 1; }) == "a site has at most fewer slots than at least");
  CHECK(with([](GridProblem& p) { p.dispatch.blocks = 0; }) == "there is no block");
  CHECK(with([](GridProblem& p) { p.dispatch.latency = -1; }) == "a time of the dispatcher is negative");
  CHECK(with([](GridProblem& p) { p.dispatch.interval = -1; }) == "a time of the dispatcher is negative");
  CHECK(with([](GridProblem& p) { p.resources[0].copies = 0; }) == "resource 'unit' has no copy");
  CHECK(with([](GridProblem& p) { p.resources[1].copies = 2; }) == "resource 'memory' of the device has copies");
  CHECK(with([](GridProblem& p) { p.resources[0].servers = 0; }) == "resource 'unit' has no server");
  CHECK(with([](GridProblem& p) { p.resources[0].demand.worker = -1; }) ==
        "the demand for resource 'unit' is negative");
  CHECK(with([](GridProblem& p) { p.resources[0].demand_elsewhere = 11; }) ==
        "the demand for resource 'unit' elsewhere is negative or more than that on its copy");
  CHECK(with([](GridProblem& p) { p.resources[0] = {"unit", site, 1, 2, {10}, 5}; }) ==
        "resource 'unit' of two demands has several servers");
  CHECK(with([](GridProblem& p) {
          p.resources[0].demand_elsewhere = 1;
          p.resources[0].demand.partial = {1, 1};
        }) == "resource 'unit' of two demands has a partial one");
  for (const ResourceDemand::Partial split : {ResourceDemand::Partial{-1, 1}, {11, 1}, {1, -1}}) {
    CHECK(with([&](GridProblem& p) { p.resources[0].demand.partial = split; }) ==
          "the partial demand for resource 'unit' is negative or more than all of it");
  }
}

TEST_CASE("a grid bound that overflows has no value") {
  const int64_t large = int64_t{1} << 40;
  for (const auto change : {+[](GridProblem& p) { p.critical_path = int64_t{1} << 40; },
                            +[](GridProblem& p) { p.resources[1].demand.worker = int64_t{1} << 40; },
                            +[](GridProblem& p) {
                              p.resources[1].demand.worker = int64_t{1} << 60;
                              p.resources[1].demand.partial = {0, int64_t{1} << 60};
                            },
                            +[](GridProblem& p) { p.workers = int64_t{1} << 40; },
                            +[](GridProblem& p) { p.dispatch.interval = int64_t{1} << 40; }}) {
    GridProblem problem = example(large);
    change(problem);
    CHECK(grid_bound(problem).status == Status::overflow);
    CHECK_FALSE(grid_bound(problem).makespan.has_value());
    CHECK_FALSE(grid_bound(problem).safe);
    CHECK(grid_bound(problem).parts.empty());
  }
}
