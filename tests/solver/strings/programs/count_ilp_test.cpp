// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/programs/count_ilp.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "solver/strings/bounds/list_bound.hpp"
#include "solver/strings/search/exact_search.hpp"
#include "tests/solver/strings/problems.hpp"

using namespace warpspan::solver;

namespace {

ProgramLimits seconds(double limit) {
  ProgramLimits limits;
  limits.seconds = limit;
  return limits;
}

void require_exact(const std::string& text, int64_t workers, const std::vector<int64_t>& servers) {
  INFO(text << " with " << workers << " workers");
  const StringProblem instance = problem(text, workers, servers);
  const IlpResult result = count_ilp(instance, seconds(100));
  REQUIRE(result.bound.status == Status::optimal);
  REQUIRE(result.bound.makespan == exact_search(instance).bound.makespan);
  REQUIRE(result.bound.kind == Kind::exact);
  REQUIRE(result.bound.safe);
  REQUIRE_FALSE(result.lower.has_value());
  std::vector<int> symbols;
  for (const char letter : text) symbols.push_back(symbol(letter).symbol);
  REQUIRE(result.schedule.has_value());
  REQUIRE(result.schedule->cycles.size() == static_cast<size_t>(workers));
  REQUIRE(makespan_of(*result.schedule, symbols, servers) == result.bound.makespan);
}

}  // namespace

TEST_CASE("the count program agrees with the exact search on short strings over two classes") {
  for (const std::string& text : two_class_strings(4)) {
    for (int64_t workers = 1; workers <= 3; ++workers) {
      for (int64_t l = 1; l <= 2; ++l) {
        for (int64_t c = 1; c <= 2; ++c) require_exact(text, workers, {l, c});
      }
    }
  }
}

TEST_CASE("the count program agrees with the exact search with four workers and more") {
  for (const std::string& text : two_class_strings(3)) {
    for (int64_t l = 1; l <= 2; ++l) {
      for (int64_t c = 1; c <= 2; ++c) require_exact(text, 4, {l, c});
    }
  }
  require_exact("LLC", 6, {1, 1});
  require_exact("CC", 7, {1, 3});
  require_exact("LLCLL", 3, {1, 1});
}

TEST_CASE("the count program agrees with the exact search on random strings over three classes") {
  std::mt19937 random(7);
  for (int i = 0; i < 60; ++i) {
    std::string text;
    const size_t length = 2 + random() % 4;
    while (text.size() < length) text += "LCS"[random() % 3];
    const auto servers = [&] { return 1 + static_cast<int64_t>(random() % 3); };
    const auto workers = 1 + static_cast<int64_t>(random() % 3);
    require_exact(text, workers, {servers(), servers(), servers()});
  }
}

TEST_CASE("the count program knows no horizon that is too short: CC with two servers and four workers") {
  const Bound bound = count_ilp(problem("CC", 4, {1, 2})).bound;
  CHECK(bound.makespan == 5);
  CHECK(bound.method == "ilp-count");
  CHECK(bound.remark.empty());
  CHECK(bound.assumptions.size() == 3);  // as long as the list bound
  CHECK(count_ilp(problem("LLC", 4, {1, 1})).bound.assumptions.back() ==
        "No longer schedule exists, as GLPK reports it from computations in floating point.");
}

TEST_CASE("a known bound makes the program smaller") {
  const StringProblem instance = problem("LLCLL", 4, {1, 1});
  CountIlpOptions options;
  options.known_bound = 17;
  CHECK(build_count_ilp(instance, options)->variables.size() == (2 * 5 + 2 + 1) * 17);
  CHECK(build_count_ilp(instance)->variables.size() == (2 * 5 + 2 + 1) * 20);
  options.known_bound = 21;  // worse than the list bound
  CHECK(build_count_ilp(instance, options)->variables.size() == (2 * 5 + 2 + 1) * 20);
  options.known_bound = 9;
  CHECK(count_ilp(problem("LLC", 4, {1, 1}), {}, options).bound.makespan == 9);
  // A bound below every schedule is noticed.
  options.known_bound = 4;
  const IlpResult wrong = count_ilp(problem("LLC", 4, {1, 1}), {}, options);
  CHECK(wrong.bound.status == Status::failed);
  CHECK(wrong.bound.remark == "GLPK reports that no schedule ends within 4 cycles");
  CHECK_FALSE(wrong.bound.safe);
}

TEST_CASE("the whole count program for two workers") {
  CHECK(to_lp_format(*build_count_ilp(problem("L", 2, {1}))) ==
        "Maximize\n"
        " objective: + 1 open(1) + 1 open(2)\n"
        "Subject To\n"
        " flow(1,1): + 1 n(1,2) - 1 n(1,1) + 1 a(1,1) = 0\n"
        " ready(1,1): + 1 a(1,1) - 1 n(1,1) <= 0\n"
        " ready(1,2): + 1 a(1,2) - 1 n(1,2) <= 0\n"
        " all(1): + 1 a(1,1) + 1 a(1,2) = 2\n"
        " capacity(0,1): + 1 a(1,1) <= 1\n"
        " full_only_if(0,1): + 1 a(1,1) - 1 full(0,1) >= 0\n"
        " waiting(0,1): + 1 n(1,1) - 1 a(1,1) - 1 full(0,1) <= 0\n"
        " capacity(0,2): + 1 a(1,2) <= 1\n"
        " full_only_if(0,2): + 1 a(1,2) - 1 full(0,2) >= 0\n"
        " waiting(0,2): + 1 n(1,2) - 1 a(1,2) - 1 full(0,2) <= 0\n"
        " open_if(1): - 1 open(1) + 1 n(1,1) >= 0\n"
        " open_if(2): - 1 open(2) + 1 n(1,2) >= 0\n"
        " open_before(2): + 1 open(1) - 1 open(2) >= 0\n"
        "Bounds\n"
        " 0 <= a(1,1) <= 1\n"
        " 0 <= a(1,2) <= 1\n"
        " n(1,1) = 2\n"
        " 0 <= n(1,2) <= 2\n"
        " 0 <= full(0,1) <= 1\n"
        " 0 <= full(0,2) <= 1\n"
        " 0 <= open(1) <= 1\n"
        " 0 <= open(2) <= 1\n"
        "Generals\n"
        " a(1,1)\n"
        " a(1,2)\n"
        " full(0,1)\n"
        " full(0,2)\n"
        " open(1)\n"
        " open(2)\n"
        "End\n");
}

TEST_CASE("the size by which a count program is refused is the one it has") {
  for (const auto& instance : {problem("LLC", 3, {1, 1}), problem("LCSL", 2, {2, 1, 2, 5}), problem("L", 1, {1})}) {
    CountIlpOptions options;
    const LinearProgram program = build_count_ilp(instance).value();
    options.most_entries = static_cast<int64_t>(program.rows.size() * program.variables.size());
    CHECK(build_count_ilp(instance, options).ok());
    --options.most_entries;
    const auto refused = build_count_ilp(instance, options);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.errors().front().message == "the program has " + std::to_string(program.rows.size()) + " rows and " +
                                                  std::to_string(program.variables.size()) +
                                                  " columns; their product may be " +
                                                  std::to_string(options.most_entries));
  }
}

TEST_CASE("when the count program's time is up an upper and a lower bound remain") {
  const StringProblem instance = problem("LLCCLL", 6, {1, 1});
  const int64_t exact = exact_search(instance).bound.makespan.value();
  const IlpResult result = count_ilp(instance, seconds(2));
  CHECK(result.bound.status == Status::time_limit);
  CHECK(result.bound.kind == Kind::upper);
  CHECK_FALSE(result.bound.safe);
  CHECK(result.bound.makespan.value() >= exact);
  CHECK(result.bound.makespan.value() <= list_bound(instance).makespan.value());
  if (result.lower) CHECK(result.lower->makespan.value() <= exact);
}

TEST_CASE("limits of the count program") {
  const Bound large = count_ilp(problem("LLCLL", 600, {1, 1})).bound;
  CHECK(large.status == Status::too_large);
  CHECK(large.remark == "the program has 53999 rows and 39000 columns; their product may be 25000000");
  CHECK(count_ilp(problem("LLC", 3, {1, 1}), seconds(0)).bound.remark == "out of time");
  const Bound none = count_ilp(problem("LLC", 0, {1, 1})).bound;
  CHECK(none.status == Status::not_applicable);
  CHECK(none.remark == "there are 0 workers");
}
