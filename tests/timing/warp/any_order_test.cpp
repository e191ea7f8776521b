// SPDX-License-Identifier: GPL-3.0-or-later
// What an assembler may do with the order of PTX, against the path of any order.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "tests/ir/build_kernel.hpp"
#include "tests/thinned.hpp"
#include "tests/timing/costs/memory_simulation.hpp"
#include "tests/timing/toy_machine.hpp"
#include "timing/machine/expansions.hpp"
#include "timing/warp/one_warp.hpp"

using namespace warpspan;
using test::below;
using test::build_kernel;
using test::connect;
using test::loop;
using test::Random;
using test::TestKernel;

namespace {

int64_t time_of(const TestKernel& k, const timing::Machine& machine, timing::Order order) {
  const auto costs = costs_of(k.kernel, machine);
  REQUIRE(costs.ok());
  const auto time = one_warp_time({k.kernel, k.flow, *costs, machine}, timing::Case::worst, order);
  REQUIRE(time.ok());
  return *time;
}

// A machine instruction of a run.
struct Step {
  int64_t latency = 0, gap = 0;
  std::map<size_t, int64_t> holds;  // by resource
  std::vector<size_t> needs;        // earlier steps
};

// A kernel of one block, each value used by up to two later instructions, and its steps.
struct Straight {
  TestKernel k;
  std::vector<Step> steps;
};

Straight random_block(Random& random, const timing::Machine& machine) {
  std::string symbols;
  for (int64_t i = 2 + below(random, 12); i > 0; --i) symbols += "CLS"[below(random, 3)];
  Straight result{build_kernel({{symbols, {}}}), {}};
  TestKernel& k = result.k;
  for (size_t i = 0; i < symbols.size(); ++i) {
    k.flow.transactions[i] = static_cast<uint8_t>(1 + below(random, 32));
    std::vector<ir::RegisterId> reads;
    Step step;
    for (int64_t n = i == 0 ? 0 : below(random, 3); n > 0; --n) {
      step.needs.push_back(static_cast<size_t>(below(random, static_cast<int64_t>(i))));
      reads.push_back(static_cast<ir::RegisterId>(step.needs.back()));
    }
    connect(k, i, reads, {static_cast<ir::RegisterId>(i)});
    const auto figures = machine.figures(k.kernel.operation(k.kernel.instructions[i]));
    step.latency = figures->latency.worst;
    step.gap = std::max(figures->gap, machine.issue_gap);
    for (const timing::Occupancy& hold : figures->occupancies) {
      step.holds[hold.resource] = *occupied_cycles(hold, k.flow.transactions[i]).value();
    }
    result.steps.push_back(step);
  }
  return result;
}

std::vector<size_t> random_order(const std::vector<Step>& steps, Random& random) {
  std::vector<size_t> order;
  std::vector<bool> in(steps.size());
  const bool uses_soon = below(random, 2) == 0;  // a value is used where it can be
  while (order.size() < steps.size()) {
    std::vector<size_t> ready;
    for (size_t i = 0; i < steps.size(); ++i) {
      const auto& needs = steps[i].needs;
      if (!in[i] && std::all_of(needs.begin(), needs.end(), [&in](size_t n) { return in[n]; })) ready.push_back(i);
    }
    size_t next = ready[static_cast<size_t>(below(random, static_cast<int64_t>(ready.size())))];
    for (const size_t i : ready) {
      const auto& needs = steps[i].needs;
      if (uses_soon && !order.empty() && std::count(needs.begin(), needs.end(), order.back()) > 0) next = i;
    }
    in[next] = true;
    order.push_back(next);
  }
  return order;
}

// Issued in this order; a wait for a scoreboard, of which there are few, is one for all that is outstanding on it, and
// stands anywhere.
int64_t run(const std::vector<Step>& steps, const std::vector<size_t>& order, Random& random) {
  const int64_t scoreboards = 1 + below(random, 6);
  std::vector<int64_t> scoreboard(steps.size()), done(steps.size());
  std::map<size_t, int64_t> unit_free;
  std::vector<size_t> issued;
  int64_t next = 0, end = 0;
  for (const size_t i : order) {
    const Step& step = steps[i];
    scoreboard[i] = below(random, scoreboards);
    std::set<int64_t> awaited;
    for (const size_t n : step.needs) awaited.insert(scoreboard[n]);
    if (below(random, 4) == 0) awaited.insert(below(random, scoreboards));
    int64_t at = next;
    for (const size_t n : step.needs) at = std::max(at, done[n]);
    for (const size_t j : issued) {
      if (awaited.count(scoreboard[j]) > 0) at = std::max(at, done[j]);
    }
    for (const auto& [resource, cycles] : step.holds) at = std::max(at, unit_free[resource]);
    for (const auto& [resource, cycles] : step.holds) unit_free[resource] = at + cycles;
    done[i] = at + step.latency;
    for (const auto& [resource, cycles] : step.holds) end = std::max(end, at + cycles);
    end = std::max({end, done[i], at + step.gap});
    next = at + step.gap;
    issued.push_back(i);
  }
  return end;
}

// With sequences: beside the one that an operation is named after stand others of latency 15.
timing::Machine machine_of_sequences() {
  timing::Machine machine = test::toy_machine();
  machine.sequence = timing::SequenceFigures{};
  machine.sequence->latency = 15;
  machine.sequence->average = 10;
  return machine;
}

}  // namespace

TEST_CASE("no order of the instructions takes longer than the path of any order") {
  Random random(test::first_seed(91, 20000));
  const timing::Machine machine = test::toy_machine();
  int64_t beyond_given = 0, equal = 0;
  const int64_t cases = test::thinned_seeds(20000);
  for (int64_t i = 0; i < cases; ++i) {
    const Straight block = random_block(random, machine);
    const int64_t any = time_of(block.k, machine, timing::Order::any);
    const int64_t given = time_of(block.k, machine, timing::Order::given);
    CHECK(given <= any);
    for (int turn = 0; turn < 4; ++turn) {
      const int64_t taken = run(block.steps, random_order(block.steps, random), random);
      CHECK(taken <= any);
      beyond_given += taken > given;
      equal += taken == any;
    }
  }
  CHECK(beyond_given > test::or_half(cases / 10));  // or the test would say nothing
  CHECK(equal > test::or_half(cases / 50));
}

TEST_CASE("machine instructions of several operations may be mixed in any order") {
  Random random(test::first_seed(92, 10000));
  const timing::Machine machine = machine_of_sequences();
  int64_t several = 0;
  for (int64_t i = 0; i < test::thinned_seeds(10000); ++i) {
    Straight block = random_block(random, machine);
    TestKernel& k = block.k;
    std::vector<Step> steps;        // of all
    std::vector<size_t> result_of;  // by instruction: the step with its result
    timing::Costs costs = *costs_of(k.kernel, machine);
    costs.operations.clear();
    for (size_t id = 0; id < block.steps.size(); ++id) {
      ir::Instruction& instruction = k.kernel.instructions[id];
      timing::Expansion expansion;
      expansion.total = 1 + below(random, 4);
      const auto own = machine.figures(k.kernel.operation(instruction));
      // Each instruction has an operation of its own.
      k.kernel.operations.push_back(k.kernel.operation(instruction));
      instruction.operation = static_cast<uint32_t>(k.kernel.operations.size() - 1);
      costs.operations.resize(k.kernel.operations.size());
      costs.operations.back() = timing::with_expansion(machine, *own, expansion);
      several += expansion.total > 1;
      // A chain, in which the named one stands anywhere.
      const int64_t named = below(random, expansion.total);
      std::vector<size_t> before;
      for (const size_t n : block.steps[id].needs) before.push_back(result_of[n]);
      for (int64_t m = 0; m < expansion.total; ++m) {
        Step step = m == named ? block.steps[id] : Step{15, 10, {{0, 1}}, {}};
        step.needs = before;
        before = {steps.size()};
        steps.push_back(step);
      }
      result_of.push_back(steps.size() - 1);
    }
    const auto any = one_warp_time({k.kernel, k.flow, costs, machine}, timing::Case::worst, timing::Order::any);
    REQUIRE(any.ok());
    for (int turn = 0; turn < 4; ++turn) CHECK(run(steps, random_order(steps, random), random) <= *any);
  }
  CHECK(several > 0);
}

TEST_CASE("in any order rounds of loads wait for memory one after another") {
  // 40 loads before their uses: in the order of the PTX they are under way together.
  TestKernel k = build_kernel(
      {{"C", {1}, false, 1}, {std::string(40, 'L') + std::string(40, 'C'), {1, 2}, false, 2, 0}, {"C", {}}},
      {loop(1, 1000)});
  for (ir::RegisterId i = 0; i < 40; ++i) {
    k.flow.transactions[1 + i] = 1;
    connect(k, 1 + i, {}, {i});
    connect(k, 41 + i, {i}, {40 + i});
  }
  const timing::Machine machine = test::toy_machine();
  CHECK(time_of(k, machine, timing::Order::any) == 20 + 1000 * 40 * (100 + 20) + 20);
  CHECK(time_of(k, machine, timing::Order::given) < 1000 * 900);
}
