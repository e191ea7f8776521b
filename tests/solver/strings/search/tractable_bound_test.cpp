// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/search/tractable_bound.hpp"

#include <catch2/catch.hpp>

#include "solver/strings/search/exact_search.hpp"
#include "tests/solver/strings/problems.hpp"

using namespace warpspan::solver;

namespace {

// With exact values for up to `reach` workers only: a string of I symbols has C(y + I, I) states with y workers.
Bound with_reach(const StringProblem& instance, int64_t states) { return tractable_bound(instance, {states, {}}); }

}  // namespace

TEST_CASE("the tractable approximation is the least ceil(W / y) * T(y)") {
  // LLCLL: T = 5, 9, 13, 17 for 1, 2, 3, 4 workers.
  const StringProblem instance = problem("LLCLL", 600, {1, 1});
  const Bound one = with_reach(instance, 0);
  CHECK(one.makespan == 3000);
  CHECK(one.method == "tractable");
  CHECK(one.kind == Kind::published);
  CHECK_FALSE(one.safe);
  CHECK(one.remark ==
        "from exact values for up to 1 worker; not safe: for LCL with one server a class and four workers the formula "
        "gives 8, a schedule takes 9");
  CHECK(with_reach(instance, 21).makespan == 300 * 9);  // 21 states with two workers, 56 with three
  CHECK(with_reach(instance, 21 + 55).makespan == 300 * 9);
  CHECK(with_reach(instance, 21 + 56).makespan == 200 * 13);
  CHECK(with_reach(instance, 21 + 56 + 126).makespan == 150 * 17);
}

TEST_CASE("the tractable approximation is below schedules that exist") {
  struct Case {
    const char* text;
    int64_t workers, x, approximation, worst;
  };
  for (const auto& [text, workers, x, approximation, worst] :
       {Case{"LCL", 4, 2, 8, 9}, Case{"LCLL", 4, 2, 12, 13}, Case{"LCL", 6, 2, 12, 13}, Case{"LCLLL", 4, 2, 16, 17}}) {
    CAPTURE(text, workers);
    const StringProblem instance = problem(text, workers, {1, 1});
    const int64_t length = std::string_view(text).size();
    const Bound bound = with_reach(instance, (length + 1) * (length + 2) / 2);
    CHECK(bound.makespan == approximation);
    CHECK_FALSE(bound.safe);
    CHECK(exact_search(instance).bound.makespan == worst);
  }
}

TEST_CASE("the tractable approximation reaches no further than the number of workers, and says what stopped it") {
  CHECK(tractable_bound(problem("LCL", 1, {1, 1})).makespan == 3);
  CHECK(tractable_bound(problem("LCL", 3, {1, 1})).remark.starts_with("from exact values for up to 3 workers"));
  TractableLimits limits;
  limits.search.seconds = 0;
  const Bound stopped = tractable_bound(problem("LCL", 3, {1, 1}), limits);
  CHECK(stopped.makespan == 9);
  CHECK(stopped.remark.ends_with("; the next one is not known: out of time"));
}

TEST_CASE("the tractable approximation of huge problems") {
  const Bound workers = tractable_bound(problem("LLCLL", 1'000'000'000, {1, 1}));
  REQUIRE(workers.makespan.has_value());
  CHECK(*workers.makespan >= 4'000'000'000);
  CHECK(*workers.makespan <= 4'100'000'000);
  CHECK(tractable_bound({{symbol('L', 1'000'000'000)}, 48, {1}}).makespan == 48'000'000'000);
  const Bound overflow = tractable_bound({{symbol('L', int64_t{1} << 40)}, int64_t{1} << 40, {1}});
  CHECK(overflow.status == Status::overflow);
  CHECK_FALSE(overflow.makespan.has_value());
  CHECK(tractable_bound(problem("L", 0, {1})).status == Status::not_applicable);
}
