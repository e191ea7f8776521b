// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/witness/guided_search.hpp"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <set>

#include "solver/strings/search/exact_search.hpp"
#include "solver/strings/witness/step_choices.hpp"
#include "tests/solver/strings/brute_force.hpp"
#include "tests/solver/strings/problems.hpp"

using namespace warpspan::solver;

namespace {

GuidedResult search(const std::string& text, int64_t workers, const std::vector<int64_t>& servers, GuidedTask task) {
  const std::vector<int> symbols = classes_of(text);
  Deadline deadline(1e9, nullptr);
  return guided_search({symbols, workers, servers}, nullptr, task, deadline);
}

using Steps = std::set<std::vector<std::pair<uint32_t, uint32_t>>>;

Steps steps_of(StepChoices& choices, const Standings& state) {
  Steps steps;
  choices.set_state(state);
  Standings step;
  while (choices.next(step)) {
    std::vector<std::pair<uint32_t, uint32_t>> parts;
    for (const Standing& here : step) parts.push_back({here.position, here.workers});
    std::sort(parts.begin(), parts.end());
    steps.insert(parts);
  }
  return steps;
}

}  // namespace

TEST_CASE("the guided search finds the longest schedule, and nothing longer than that") {
  for (const char* text : {"L", "LL", "LCL", "LLCLL", "LCCL", "LSCLC"}) {
    for (int64_t workers = 1; workers <= 5; ++workers) {
      const std::vector<int64_t> servers = {1, 2, 1};
      INFO(text << ", " << workers << " workers");
      const int64_t exact = exact_search(problem(text, workers, servers)).bound.makespan.value();
      const GuidedResult found = search(text, workers, servers, {exact - 1, INT64_MAX, 10'000'000});
      REQUIRE(found.schedule);
      CHECK(found.in_time);
      CHECK(makespan_of(*found.schedule, classes_of(text), servers) == exact);
      CHECK_FALSE(search(text, workers, servers, {exact, INT64_MAX, 10'000'000}).schedule);
    }
  }
}

TEST_CASE("a guided search without effort finds nothing") {
  CHECK_FALSE(search("LLCLL", 5, {1, 1}, {0, INT64_MAX, 0}).schedule);
  CHECK_FALSE(search("LLCLL", 5, {1, 1}, {0, INT64_MAX, 100}).schedule);
  CHECK_FALSE(search("LLCLL", 5, {1, 1}, {10, 10, INT64_MAX}).schedule);  // enough is known already
}

TEST_CASE("a guided search ends when it is cancelled") {
  const std::vector<int> symbols = classes_of("LLCSLCCSLLCCCSLSSCL");
  const std::vector<int64_t> servers = {1, 1, 1};
  std::atomic<bool> cancel = true;
  Deadline deadline(1e9, &cancel);
  CHECK_FALSE(guided_search({symbols, 24, servers}, nullptr, {0, INT64_MAX, INT64_MAX}, deadline).in_time);
}

TEST_CASE("all steps from a state") {
  const std::vector<int> symbols = {0, 1, 0};
  const std::vector<int64_t> one = {1, 1}, two = {2, 1};
  StepChoices single(symbols, one);
  CHECK(steps_of(single, {{0, 3}}) == Steps{{{0, 1}}});
  CHECK(steps_of(single, {{0, 3}, {1, 2}, {2, 1}}) == Steps{{{0, 1}, {1, 1}}, {{1, 1}, {2, 1}}});
  CHECK(single.executed() == 2);
  StepChoices twofold(symbols, two);
  CHECK(steps_of(twofold, {{0, 3}, {2, 1}}) == Steps{{{0, 2}}, {{0, 1}, {2, 1}}});
  CHECK(twofold.executed() == 2);
  CHECK(steps_of(twofold, {{0, 1}, {1, 4}, {2, 1}}) == Steps{{{0, 1}, {1, 1}, {2, 1}}});
  CHECK(twofold.executed() == 3);
  CHECK(steps_of(twofold, {}).empty());
  CHECK(twofold.executed() == 0);
  CHECK_FALSE(single.has_left_out_any());
  CHECK_FALSE(twofold.has_left_out_any());
}

TEST_CASE("of very many steps some") {
  const std::vector<int> symbols(40, 0);
  const std::vector<int64_t> servers = {20};
  StepChoices choices(symbols, servers);
  Standings state;
  for (uint32_t p = 0; p < 40; ++p) state.push_back({p, 1 + p % 3});
  const Steps steps = steps_of(choices, state);
  CHECK(choices.has_left_out_any());
  CHECK(steps.size() > 20);
  CHECK(steps.size() <= 256);
  for (const auto& step : steps) {
    uint32_t executed = 0;
    for (size_t i = 0; i < step.size(); ++i) {
      CHECK((step[i].second >= 1 && step[i].second <= state[step[i].first].workers));
      CHECK((i == 0 || step[i - 1].first < step[i].first));
      executed += step[i].second;
    }
    CHECK(executed == 20);
  }
}
