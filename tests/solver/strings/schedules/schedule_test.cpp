// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/schedules/schedule.hpp"

#include <catch2/catch.hpp>
#include <utility>

using namespace warpspan::solver;

TEST_CASE("a schedule is checked against the statement of the problem") {
  const std::vector<int> symbols = {0, 0, 1};
  const auto check = [&](std::vector<std::vector<int64_t>> cycles, std::vector<int64_t> servers = {1, 1}) {
    return makespan_of({std::move(cycles)}, symbols, servers);
  };
  CHECK(check({{1, 2, 3}}) == 3);
  CHECK(check({{1, 3, 5}, {2, 4, 6}}) == std::nullopt);  // worker 1 is ready for C in cycle 4
  CHECK(check({{1, 3, 4}, {2, 4, 5}}) == 5);
  CHECK(check({{1, 2, 3}, {3, 4, 5}}) == 5);
  CHECK(check({{1, 2, 3}, {1, 2, 3}}) == std::nullopt);  // two execute L
  CHECK(check({{1, 2, 3}, {1, 2, 3}}, {2, 2}) == 3);
  CHECK(check({{1, 2, 3}, {2, 3, 4}}) == std::nullopt);
  CHECK(check({{1, 2, 3}, {3, 4, 5}}, {2, 2}) == std::nullopt);  // the second waits without a reason
  CHECK(check({{0, 1, 2}}) == std::nullopt);
  CHECK(check({{2, 3, 4}}) == std::nullopt);
  CHECK(check({{1, 3, 2}}) == std::nullopt);
  CHECK(check({{1, 1, 2}}) == std::nullopt);
  CHECK(check({{1, 2}}) == std::nullopt);
  CHECK(check({{1, 2, INT64_MAX}}) == std::nullopt);
  CHECK(check({}) == std::nullopt);
}

TEST_CASE("a schedule of a string that is none is refused") {
  CHECK(makespan_of({{{1}}}, {1}, {1}) == std::nullopt);  // no such class
  CHECK(makespan_of({{{1}}}, {-1}, {1}) == std::nullopt);
  CHECK(makespan_of({{{}}}, {}, {1}) == std::nullopt);
  CHECK(makespan_of({{{1}}}, {0}, {0}) == std::nullopt);  // nobody may execute
  CHECK(makespan_of({{{1}}}, {0}, {1}) == 1);
}

TEST_CASE("whatever is wrong with a schedule is found") {
  const std::vector<int> symbols = {0, 1, 0};
  const auto check = [&](std::vector<std::vector<int64_t>> cycles) {
    return makespan_of({std::move(cycles)}, symbols, {1, 2});
  };
  const std::vector<std::vector<int64_t>> good = {{1, 2, 4}, {2, 3, 5}, {3, 4, 6}};
  REQUIRE(check(good) == 6);
  CHECK(check({{1, 2, 5}, {2, 3, 6}, {3, 4, 7}}) == std::nullopt);     // nobody executes in cycle 4 but worker 2
  CHECK(check({{1, 3, 4}, {2, 3, 5}, {3, 4, 6}}) == std::nullopt);     // an idle server in cycle 2
  CHECK(check({{1, 1, 4}, {2, 3, 5}, {3, 4, 6}}) == std::nullopt);     // two symbols in a cycle
  CHECK(check({{2, 1, 4}, {2, 3, 5}, {3, 4, 6}}) == std::nullopt);     // out of order
  CHECK(check({{1, 2, 4}, {1, 2, 5}, {3, 4, 6}}) == std::nullopt);     // over capacity
  CHECK(check({{1, 2, 4}, {2, 3}, {3, 4, 5}}) == std::nullopt);        // a symbol is missing
  CHECK(check({{1, 2, 4}, {2, 3, 5}, {3, 4, 6, 7}}) == std::nullopt);  // one too many
  CHECK(check({{1, 2, 4}, {2, 3, 5}, {}}) == std::nullopt);
  // Each cycle of the good one, moved: nothing else is a schedule with the other two workers unchanged.
  for (size_t w = 0; w < good.size(); ++w) {
    for (size_t i = 0; i < symbols.size(); ++i) {
      for (const int64_t cycle : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}) {
        auto changed = good;
        changed[w][i] = cycle;
        CHECK(check(changed) == (cycle == good[w][i] ? std::optional<int64_t>(6) : std::nullopt));
      }
    }
  }
}

TEST_CASE("a long schedule is checked in the time it takes to read it") {
  // One worker after another: as many cycles as executions.
  Schedule schedule;
  const int64_t length = 1000, workers = 2000;
  for (int64_t w = 0; w < workers; ++w) {
    schedule.cycles.emplace_back();
    for (int64_t i = 1; i <= length; ++i) schedule.cycles.back().push_back(w * length + i);
  }
  const std::vector<int> symbols(static_cast<size_t>(length), 0);
  CHECK(makespan_of(schedule, symbols, {1}) == workers * length);
  std::swap(schedule.cycles[0].back(), schedule.cycles[1].front());
  CHECK(makespan_of(schedule, symbols, {1}) == workers * length);
  schedule.cycles[1].back() += workers * length;
  CHECK(makespan_of(schedule, symbols, {1}) == std::nullopt);
}
