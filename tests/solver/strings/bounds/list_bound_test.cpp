// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/bounds/list_bound.hpp"

#include <catch2/catch.hpp>

#include "tests/solver/strings/brute_force.hpp"
#include "tests/solver/strings/problems.hpp"

using namespace warpspan::solver;

namespace {

int64_t value(const Bound& bound) {
  REQUIRE(bound.status == Status::optimal);
  REQUIRE(bound.makespan.has_value());
  return *bound.makespan;
}

std::string refusal(const PathMaxima& maxima) {
  const Bound bound = list_bound(maxima);
  REQUIRE(bound.status == Status::not_applicable);
  REQUIRE_FALSE(bound.makespan.has_value());
  REQUIRE_FALSE(bound.safe);
  return bound.remark;
}

}  // namespace

TEST_CASE("the list bound's value and standing") {
  const Bound bound = list_bound(problem("CC", 4, {1, 2}));
  CHECK(value(bound) == 5);
  CHECK(bound.method == "list");
  CHECK(bound.kind == Kind::upper);
  CHECK(bound.safe);
  CHECK(bound.assumptions ==
        std::vector<std::string>{
            "Each worker executes its symbols in order, at most one per cycle, one cycle each.",
            "In every cycle each class executes for as many workers as are ready for it and it has servers.",
            "All workers start together."});
  CHECK(value(list_bound(problem("LLCLL", 600, {1, 1}))) == 3000);
  CHECK(value(list_bound(problem("LLC", 1, {1, 1}))) == 3);
}

TEST_CASE("the list bound of long loops comes from the counts") {
  // C (LLC)^20 L and C (LLC)^200 L, and a loop that could never be written out.
  const auto looped = [](int64_t r) {
    return StringProblem{{symbol('C'), group({symbol('L', 2), symbol('C')}, r), symbol('L')}, 48, {1, 2}};
  };
  CHECK(value(list_bound(looped(20))) == 2482);
  CHECK(value(list_bound(looped(200))) == 24172);
  CHECK(value(list_bound(looped(1'000'000'000'000))) == 120'500'000'000'000 + 72);
}

TEST_CASE("a list bound that overflows has no value") {
  StringProblem large{{symbol('L', int64_t{1} << 40)}, int64_t{1} << 40, {1}};
  CHECK(list_bound(large).status == Status::overflow);
  CHECK_FALSE(list_bound(large).makespan.has_value());
  CHECK_FALSE(list_bound(large).safe);
  CHECK(list_bound(PathMaxima{int64_t{1} << 40, {int64_t{1} << 40}, int64_t{1} << 40, {1}}).status == Status::overflow);
}

TEST_CASE("the list bound refuses a problem that is none") {
  const Bound bound = list_bound(problem("", 4, {1, 2}));
  CHECK(bound.status == Status::not_applicable);
  CHECK_FALSE(bound.makespan.has_value());
  CHECK_FALSE(bound.safe);
  CHECK(bound.remark == "the string is empty");
}

TEST_CASE("maxima of one string give the bound of that string") {
  for (int64_t workers = 1; workers < 9; ++workers) {
    CHECK(value(list_bound(PathMaxima{5, {4, 1}, workers, {1, 2}})) ==
          value(list_bound(problem("LLCLL", workers, {1, 2}))));
  }
}

TEST_CASE("a chain counts its workers' whole length") {
  // 3 * 10 + floor(5 * 7 / 2) + 5 * 6
  const Bound bound = list_bound(PathMaxima{10, {7, 6}, 8, {2, 1}, 3});
  CHECK(value(bound) == 30 + 17 + 30);
  CHECK(bound.assumptions.back() == "Workers that do not start at once start as soon as an earlier one ends.");
}

TEST_CASE("maxima outside of their ranges are refused") {
  CHECK(refusal({1, {1, 1}, 1, {1}}) == "classes with symbols and classes with servers differ");
  CHECK(refusal({-1, {1}, 1, {1}}) == "a number of symbols is negative");
  CHECK(refusal({1, {-1}, 1, {1}}) == "a number of symbols is negative");
  CHECK(refusal({1, {1}, 1, {0}}) == "a class has no server");
  CHECK(refusal({1, {1}, 0, {1}}) == "there is no worker");
  CHECK(refusal({1, {1}, 2, {1}, 0}) == "the chain is not between 1 and the number of workers");
  CHECK(refusal({1, {1}, 2, {1}, 3}) == "the chain is not between 1 and the number of workers");
}

TEST_CASE("another worker or symbol never lowers the list bound, another server never raises it") {
  for (const std::string& text : two_class_strings(5)) {
    for (int64_t workers = 1; workers < 6; ++workers) {
      for (int64_t servers = 1; servers < 4; ++servers) {
        const int64_t bound = value(list_bound(problem(text, workers, {servers, 2})));
        REQUIRE(value(list_bound(problem(text, workers + 1, {servers, 2}))) >= bound);
        REQUIRE(value(list_bound(problem(text + "L", workers, {servers, 2}))) >= bound);
        REQUIRE(value(list_bound(problem("C" + text, workers, {servers, 2}))) >= bound);
        REQUIRE(value(list_bound(problem(text, workers, {servers + 1, 2}))) <= bound);
      }
    }
  }
}

// Three workers with strings of their own, of which the third starts as soon as one of the others has ended: the chain
// has two workers or one.
TEST_CASE("the bound of maxima holds for workers that differ and start late") {
  const std::vector<std::string> texts = two_class_strings(3);
  const auto most = [](const std::vector<std::string>& strings, char letter) {
    int64_t largest = 0;
    for (const std::string& s : strings) largest = std::max<int64_t>(largest, std::count(s.begin(), s.end(), letter));
    return largest;
  };
  for (const std::string& a : texts) {
    for (const std::string& b : texts) {
      for (const std::string& c : texts) {
        PathMaxima maxima{static_cast<int64_t>(std::max({a.size(), b.size(), c.size()})),
                          {most({a, b, c}, 'L'), most({a, b, c}, 'C')},
                          3,
                          {1, 1},
                          2};
        for (const int64_t servers : {1, 2}) {
          maxima.servers[1] = servers;
          BruteForce all({classes_of(a), classes_of(b), classes_of(c)}, maxima.servers, 2);
          REQUIRE(value(list_bound(maxima)) >= all.worst());
        }
      }
    }
  }
}
