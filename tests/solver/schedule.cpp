#include "solver/schedule.hpp"

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
