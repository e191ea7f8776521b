// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/bounds/raravi.hpp"

#include <catch2/catch.hpp>

#include "solver/strings/schedules/string.hpp"
#include "solver/strings/search/exact_search.hpp"
#include "tests/solver/strings/brute_force.hpp"
#include "tests/solver/strings/problems.hpp"

using namespace warpspan::solver;

namespace {

constexpr TemplateRoles roles{0, 1};

StringProblem instance(int64_t r, int64_t workers) {
  return {{symbol('C'), group({symbol('L', 2), symbol('C')}, r), symbol('L')}, workers, {1, 2}};
}

Bound raravi(const String& string, int64_t workers = 4) { return raravi_bound({string, workers, {1, 2}}, roles); }

std::string refusal(const StringProblem& problem, TemplateRoles with = roles) {
  const Bound bound = raravi_bound(problem, with);
  REQUIRE(bound.status == Status::not_applicable);
  REQUIRE_FALSE(bound.makespan.has_value());
  return bound.remark;
}

}  // namespace

TEST_CASE("the finishing times of the paper's schedules with four warps") {
  for (const auto& [r, finish] : {std::pair<int64_t, int64_t>{1, 14}, {2, 22}, {3, 30}}) {
    const Bound bound = raravi_bound(instance(r, 4), roles);
    CHECK(bound.makespan == finish);
    CHECK(bound.method == "raravi");
    CHECK(bound.kind == Kind::published);
    CHECK_FALSE(bound.safe);
  }
  CHECK(raravi_bound(instance(3, 4), roles).assumptions.back() ==
        "A symbol of an earlier sub-block is executed before one of a later.");
}

TEST_CASE("every spelling of the template is recognised") {
  const String llc = letters("LLC");
  CHECK(raravi(letters("CLLCL")).makespan == 14);
  CHECK(raravi(letters("CLLCLLCLLCL")).makespan == 30);
  CHECK(raravi({group(letters("CLL"), 3), symbol('C'), symbol('L')}).makespan == 30);
  CHECK(raravi({symbol('C'), symbol('L'), group(letters("LCL"), 3)}).makespan == 30);
  CHECK(raravi({symbol('C'), group({group(llc, 5), symbol('L', 2), symbol('C')}, 10), symbol('L')}).makespan ==
        raravi_bound(instance(60, 4), roles).makespan);
  CHECK(raravi({group({symbol('C'), group(llc, 20), symbol('L')}, 1)}).makespan == 14 + 8 * 19);
  CHECK(raravi({symbol('C'), group(llc, 1'000'000'000'000), symbol('L')}).makespan == 8'000'000'000'006);
}

TEST_CASE("the roles may be any two classes") {
  // S C C S C: S has two servers and plays C, C has one and plays L.
  const Bound bound = raravi_bound(problem("SCCSC", 4, {7, 1, 2}), {1, 2});
  CHECK(bound.makespan == 14);
}

TEST_CASE("what is not the template is refused with what differs") {
  const std::string shape = "the string is not of the form C (LLC)^r L";
  for (const char* text : {"LLC", "C", "CLLC", "CLLCLL", "LCLLCL", "CLCL", "CLLLCL", "CCLLCL", "CLLCLLL"}) {
    CHECK(refusal(problem(text, 4, {1, 2})) == shape);
  }
  CHECK(refusal({{group(letters("CLLCL"), 2)}, 4, {1, 2}}) == shape);
  CHECK(refusal(problem("CL", 4, {1, 2})) == "the string is CL, without a sub-block LLC");
  CHECK(refusal(problem("CLLSCL", 4, {1, 2, 1})) == "the string has symbols other than L and C");
  CHECK(refusal(problem("CLLCL", 4, {1, 1})) == "it needs 1 server for L and 2 for C, there are 1 and 1");
  CHECK(refusal(problem("CLLCL", 4, {2, 2})) == "it needs 1 server for L and 2 for C, there are 2 and 2");
  CHECK(refusal(problem("CLLCL", 4, {1, 2}), {0, 2}) == "L and C are not two classes of the problem");
  CHECK(refusal(problem("CLLCL", 4, {1, 2}), {1, 1}) == "L and C are not two classes of the problem");
  CHECK(refusal(problem("CLLCL", 0, {1, 2})) == "there are 0 workers");
}

TEST_CASE("a finishing time that overflows has no value") {
  const Bound bound = raravi_bound(instance(int64_t{1} << 40, int64_t{1} << 40), roles);
  CHECK(bound.status == Status::overflow);
  CHECK_FALSE(bound.makespan.has_value());
}

TEST_CASE("with one worker and two sub-blocks the formula is below the symbol count") {
  const Bound bound = raravi_bound(instance(2, 1), roles);
  CHECK(bound.makespan == 7);
  CHECK(exact_search(instance(2, 1)).bound.makespan == 8);
  CHECK(bound.remark ==
        "conjectured for schedules that are fair to sub-blocks; below the 8 symbols that one worker executes");
}

TEST_CASE("with fair sub-blocks the formula is the worst case for two workers and more") {
  for (int r = 1; r <= 3; ++r) {
    const auto string = expand(instance(r, 1).string, 100);
    REQUIRE(string.has_value());
    for (size_t n = 2; n <= 4; ++n) {
      BruteForce fair(std::vector<std::vector<int>>(n, *string), {1, 2}, n);
      fair.prefer([&](int position) { return position == 0 ? 1 : std::min((position - 1) / 3 + 1, r); });
      CHECK(raravi_bound(instance(r, static_cast<int64_t>(n)), roles).makespan == fair.worst());
    }
  }
}

TEST_CASE("without fairness the worst case is larger") {
  for (int64_t r = 1; r <= 4; ++r) {
    for (int64_t n = 3; n <= 7; ++n) {
      const int64_t worst = (2 * r + 1) * n + r + 1;
      REQUIRE(exact_search(instance(r, n)).bound.makespan == worst);
      REQUIRE(raravi_bound(instance(r, n), roles).makespan == worst - (r - 1));
      REQUIRE(
          raravi_bound(instance(r, n), roles).remark ==
          "conjectured for schedules that are fair to sub-blocks; without fairness exact search gives (2r + 1)n + r + "
          "1, here " +
              std::to_string(worst));
    }
  }
  CHECK(exact_search(instance(3, 2)).bound.makespan == 17);
  CHECK(raravi_bound(instance(3, 2), roles).makespan == 16);
  CHECK(raravi_bound(instance(3, 2), roles).remark ==
        "conjectured for schedules that are fair to sub-blocks; without fairness too small from r = 3 on (a schedule "
        "takes "
        "17 there, not 16)");
}
