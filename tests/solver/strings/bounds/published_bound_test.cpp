// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/bounds/published_bound.hpp"

#include <catch2/catch.hpp>

#include "solver/strings/bounds/list_bound.hpp"
#include "solver/strings/search/exact_search.hpp"
#include "tests/solver/strings/brute_force.hpp"
#include "tests/solver/strings/problems.hpp"

using namespace warpspan::solver;

TEST_CASE("the published bound is safe with one server a class, and then equals the list bound") {
  const Bound bound = published_bound(problem("LLC", 4, {1, 1}));
  CHECK(bound.makespan == 12);
  CHECK(bound.method == "published");
  CHECK(bound.kind == Kind::published);
  CHECK(bound.safe);
  CHECK(bound.remark.empty());
  for (const std::string& text : two_class_strings(5)) {
    for (int64_t workers = 1; workers < 5; ++workers) {
      REQUIRE(published_bound(problem(text, workers, {1, 1})).makespan ==
              list_bound(problem(text, workers, {1, 1})).makespan);
    }
  }
}

TEST_CASE("the published bound fails for two servers: CC with four workers") {
  const StringProblem counterexample = problem("CC", 4, {1, 2});
  const Bound bound = published_bound(counterexample);
  CHECK(bound.makespan == 4);
  CHECK_FALSE(bound.safe);
  CHECK(bound.status == Status::optimal);
  CHECK(bound.remark ==
        "not safe where a class has two or more servers: for two symbols of a class with two servers and four workers "
        "the "
        "formula gives 4, a schedule takes 5");
  CHECK(exact_search(counterexample).bound.makespan == 5);
  CHECK(brute_force("CC", 4, {1, 2}) == 5);
}

TEST_CASE("servers of a class that does not occur do not matter to the published bound") {
  const Bound bound = published_bound(problem("LL", 3, {1, 2}));
  CHECK(bound.makespan == 6);
  CHECK(bound.safe);
}

TEST_CASE("the published bound rounds up, overflows to no value and refuses what is no problem") {
  CHECK(published_bound(problem("CCL", 5, {3, 2})).makespan == 3 * 2 + 2);
  const Bound overflow = published_bound({{symbol('L', int64_t{1} << 40)}, int64_t{1} << 40, {1}});
  CHECK(overflow.status == Status::overflow);
  CHECK_FALSE(overflow.makespan.has_value());
  CHECK_FALSE(overflow.safe);
  const Bound refused = published_bound(problem("L", 0, {1}));
  CHECK(refused.status == Status::not_applicable);
  CHECK(refused.remark == "there are 0 workers");
}
