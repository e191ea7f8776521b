// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/programs/published_ilp.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "solver/strings/bounds/list_bound.hpp"
#include "solver/strings/search/exact_search.hpp"
#include "tests/solver/strings/problems.hpp"

using namespace warpspan::solver;

namespace {

constexpr PublishedIlpOptions long_rows{WorkConservation::long_rows};
constexpr PublishedIlpOptions published_horizon{WorkConservation::short_rows, Horizon::published};

ProgramLimits seconds(double limit) {
  ProgramLimits limits;
  limits.seconds = limit;
  return limits;
}

// The program's optimum is the exact value, and comes with a schedule of that length.
void require_exact(const StringProblem& instance, const std::vector<int>& symbols, const PublishedIlpOptions& options) {
  const IlpResult result = published_ilp(instance, seconds(100), options);
  REQUIRE(result.bound.status == Status::optimal);
  REQUIRE(result.bound.makespan == exact_search(instance).bound.makespan);
  REQUIRE(result.bound.kind == Kind::exact);
  REQUIRE(result.bound.safe);
  REQUIRE_FALSE(result.lower.has_value());
  REQUIRE(result.schedule.has_value());
  REQUIRE(result.schedule->cycles.size() == static_cast<size_t>(instance.workers));
  REQUIRE(makespan_of(*result.schedule, symbols, instance.servers) == result.bound.makespan);
}

void require_exact(const std::string& text, int64_t workers, const std::vector<int64_t>& servers) {
  INFO(text << " with " << workers << " workers, servers " << servers.at(0) << " and " << servers.at(1));
  std::vector<int> symbols;
  for (const char letter : text) symbols.push_back(symbol(letter).symbol);
  require_exact(problem(text, workers, servers), symbols, {});
  require_exact(problem(text, workers, servers), symbols, long_rows);
}

// How many rows have names that begin with each word.
std::map<std::string, size_t> count_rows(const LinearProgram& program) {
  std::map<std::string, size_t> counts;
  for (const auto& row : program.rows) ++counts[row.name.substr(0, row.name.find('('))];
  return counts;
}

}  // namespace

TEST_CASE("the published program agrees with the exact search on short strings over two classes") {
  for (const std::string& text : two_class_strings(4)) {
    for (int64_t workers = 1; workers <= 3; ++workers) {
      if (text.size() == 4 && workers == 3) continue;  // minutes in all
      for (int64_t l = 1; l <= 2; ++l) {
        for (int64_t c = 1; c <= 2; ++c) require_exact(text, workers, {l, c});
      }
    }
  }
}

TEST_CASE("the published program agrees with the exact search where four workers are quick") {
  require_exact("LLC", 4, {1, 1});
  require_exact("CC", 4, {1, 2});
  require_exact("LC", 4, {1, 2});
}

TEST_CASE("the published program refutes the tractable approximation: LCL with four workers") {
  // ceil(4 / 2) * T(2) = 8, but T(4) = 9.
  CHECK(published_ilp(problem("LCL", 2, {1, 1}), seconds(100)).bound.makespan == 4);
  CHECK(published_ilp(problem("LCL", 4, {1, 1}), seconds(100)).bound.makespan == 9);
}

TEST_CASE("the published horizon is too short for CC with two servers and four workers") {
  const StringProblem counterexample = problem("CC", 4, {1, 2});
  const Bound published = published_ilp(counterexample, {}, published_horizon).bound;
  CHECK(published.makespan == 4);
  CHECK(published.kind == Kind::published);
  CHECK_FALSE(published.safe);
  CHECK(published.status == Status::optimal);
  CHECK(published.remark ==
        "not safe where a class has two or more servers: schedules that take longer than the published bound are left "
        "out");
  const Bound safe = published_ilp(counterexample).bound;
  CHECK(safe.makespan == 5);
  CHECK(safe.kind == Kind::exact);
  CHECK(safe.safe);
}

TEST_CASE("with one server a class the two horizons are the same") {
  const Bound bound = published_ilp(problem("LLC", 3, {1, 1}), {}, published_horizon).bound;
  CHECK(bound.makespan == 7);
  CHECK(bound.kind == Kind::exact);
  CHECK(bound.safe);
  CHECK(bound.remark.empty());
  CHECK(bound.method == "ilp");
  CHECK(published_ilp(problem("LLC", 3, {1, 1}), {}, long_rows).bound.method == "ilp-long");
}

TEST_CASE("what the optimum rests on") {
  const Bound reported = published_ilp(problem("LLC", 2, {1, 1})).bound;
  CHECK(reported.makespan == 5);
  REQUIRE(reported.assumptions.size() == 4);
  CHECK(reported.assumptions.back() ==
        "No longer schedule exists, as GLPK reports it from computations in floating point.");
  // A schedule as long as the list bound is known to be the longest.
  const Bound proven = published_ilp(problem("LL", 3, {1, 1})).bound;
  CHECK(proven.makespan == 6);
  CHECK(proven.assumptions.size() == 3);
}

TEST_CASE("three classes, loops, and servers beyond the number of workers") {
  const StringProblem looped{{group({symbol('S'), symbol('L')}, 2)}, 2, {1, INT64_MAX, 1}};
  require_exact(looped, {2, 0, 2, 0}, {});
  const StringProblem crowded{letters("LCS"), 3, {7, INT64_MAX, 1}};
  require_exact(crowded, {0, 1, 2}, {});
  require_exact(crowded, {0, 1, 2}, long_rows);
}

TEST_CASE("the rows of figure 3") {
  // Three workers, LLC, one server each: W = 3, I = 3, T = 9, two classes.
  const auto program = build_published_ilp(problem("LLC", 3, {1, 1}));
  REQUIRE(program.ok());
  CHECK(program->variables.size() == 3 * 3 * 9 + 2 * 9);
  CHECK(count_rows(*program) == std::map<std::string, size_t>{{"capacity", 2 * 9},
                                                              {"last", 2},
                                                              {"one", 2 * 3 * 9},
                                                              {"once", 3 * 3},
                                                              {"order", 3 * 2},
                                                              {"full_if", 2 * 9},
                                                              {"full_only_if", 2 * 9},
                                                              {"busy", 3 * 3 * 9}});
  CHECK(count_rows(*build_published_ilp(problem("LLC", 3, {1, 1}), long_rows)).at("busy") == 3 * 2 * 9);
}

TEST_CASE("the whole program for one worker") {
  CHECK(to_lp_format(*build_published_ilp(problem("LL", 1, {1}))) ==
        "Maximize\n"
        " objective: + 1 x(1,2,1) + 2 x(1,2,2)\n"
        "Subject To\n"
        " capacity(0,1): + 1 x(1,1,1) + 1 x(1,2,1) <= 1\n"
        " capacity(0,2): + 1 x(1,1,2) + 1 x(1,2,2) <= 1\n"
        " one(1,0,1): + 1 x(1,1,1) + 1 x(1,2,1) <= 1\n"
        " one(1,0,2): + 1 x(1,1,2) + 1 x(1,2,2) <= 1\n"
        " once(1,1): + 1 x(1,1,1) + 1 x(1,1,2) = 1\n"
        " once(1,2): + 1 x(1,2,1) + 1 x(1,2,2) = 1\n"
        " order(1,1): - 1 x(1,1,1) - 2 x(1,1,2) + 1 x(1,2,1) + 2 x(1,2,2) >= 1\n"
        " full_if(0,1): - 1 x(1,1,1) - 1 x(1,2,1) + 1 full(0,1) >= 0\n"
        " full_only_if(0,1): + 1 x(1,1,1) + 1 x(1,2,1) - 1 full(0,1) >= 0\n"
        " full_if(0,2): - 1 x(1,1,2) - 1 x(1,2,2) + 1 full(0,2) >= 0\n"
        " full_only_if(0,2): + 1 x(1,1,2) + 1 x(1,2,2) - 1 full(0,2) >= 0\n"
        " busy(1,1,1): + 1 x(1,1,1) + 1 full(0,1) >= 1\n"
        " busy(1,1,2): + 1 x(1,1,1) + 1 x(1,1,2) + 1 full(0,2) >= 1\n"
        " busy(1,2,1): + 1 x(1,1,1) + 1 x(1,1,2) + 1 x(1,2,1) + 1 full(0,1) >= 1\n"
        " busy(1,2,2): + 1 x(1,1,2) + 1 x(1,2,1) + 1 x(1,2,2) + 1 full(0,2) >= 1\n"
        "Bounds\n"
        " 0 <= x(1,1,1) <= 1\n"
        " 0 <= x(1,1,2) <= 1\n"
        " 0 <= x(1,2,1) <= 1\n"
        " 0 <= x(1,2,2) <= 1\n"
        " 0 <= full(0,1) <= 1\n"
        " 0 <= full(0,2) <= 1\n"
        "Generals\n"
        " x(1,1,1)\n"
        " x(1,1,2)\n"
        " x(1,2,1)\n"
        " x(1,2,2)\n"
        " full(0,1)\n"
        " full(0,2)\n"
        "End\n");
}

TEST_CASE("the size by which a program is refused is the one it has") {
  for (const WorkConservation form : {WorkConservation::short_rows, WorkConservation::long_rows}) {
    for (const auto& instance : {problem("LLC", 3, {1, 1}), problem("LCSL", 2, {2, 1, 2, 5}), problem("L", 1, {1})}) {
      PublishedIlpOptions options{form};
      const LinearProgram program = build_published_ilp(instance, options).value();
      options.most_entries = static_cast<int64_t>(program.rows.size() * program.variables.size());
      CHECK(build_published_ilp(instance, options).ok());
      --options.most_entries;
      const auto refused = build_published_ilp(instance, options);
      REQUIRE_FALSE(refused.ok());
      CHECK(refused.errors().front().message == "the program has " + std::to_string(program.rows.size()) +
                                                    " rows and " + std::to_string(program.variables.size()) +
                                                    " columns; their product may be " +
                                                    std::to_string(options.most_entries));
    }
  }
}

TEST_CASE("problems that are too large, or none, are refused") {
  const IlpResult large = published_ilp(problem("LLCLL", 48, {1, 1}));
  CHECK(large.bound.status == Status::too_large);
  CHECK(large.bound.remark == "the program has 82559 rows and 58080 columns; their product may be 25000000");
  CHECK_FALSE(large.bound.makespan.has_value());
  CHECK_FALSE(large.bound.safe);
  CHECK_FALSE(large.schedule.has_value());
  const Bound endless = published_ilp({{symbol('L', INT64_MAX)}, 1, {1}}).bound;
  CHECK(endless.status == Status::too_large);
  CHECK(endless.remark == "the program has more than 2^63 - 1 rows or columns");
  CHECK(published_ilp({{symbol('L', INT64_MAX)}, 2, {1}}).bound.status == Status::overflow);
  const Bound none = published_ilp(problem("LLC", 3, {1, 0})).bound;
  CHECK(none.status == Status::not_applicable);
  CHECK(none.remark == "class 1 has 0 servers");
}

TEST_CASE("when the time is up an upper and a lower bound remain") {
  const StringProblem instance = problem("LLCLL", 3, {1, 1});
  const int64_t exact = exact_search(instance).bound.makespan.value();
  const IlpResult result = published_ilp(instance, seconds(2));
  // Nothing here depends on how far it comes, not even that it does not end.
  if (result.bound.status == Status::optimal) {
    CHECK(result.bound.makespan == exact);
    return;
  }
  CHECK(result.bound.status == Status::time_limit);
  CHECK(result.bound.kind == Kind::upper);
  CHECK_FALSE(result.bound.safe);
  CHECK(result.bound.remark == "out of time: the upper bound as GLPK reported it last, not certified");
  CHECK(result.bound.makespan.value() >= exact);
  CHECK(result.bound.makespan.value() <= list_bound(instance).makespan.value());
  if (!result.lower) return;
  CHECK(result.lower->kind == Kind::lower);
  CHECK(result.lower->method == "ilp");
  CHECK(result.lower->makespan.value() <= exact);
  REQUIRE(result.schedule.has_value());
  CHECK(makespan_of(*result.schedule, {0, 0, 1, 0, 0}, {1, 1}) == result.lower->makespan);
}

TEST_CASE("limits of the published program") {
  const Bound late = published_ilp(problem("LLC", 3, {1, 1}), seconds(0)).bound;
  CHECK(late.status == Status::time_limit);
  CHECK(late.remark == "out of time");
  CHECK_FALSE(late.makespan.has_value());
  CHECK_FALSE(late.safe);
  ProgramLimits limits;
  limits.memory = 1 << 20;
  const Bound small = published_ilp(problem("LLCLL", 8, {1, 1}), limits).bound;
  CHECK(small.status == Status::too_large);
  CHECK(small.remark == "GLPK needs more than 1048576 bytes of memory");
  const std::atomic<bool> cancel = true;
  limits.cancel = &cancel;
  const Bound cancelled = published_ilp(problem("LLC", 3, {1, 1}), limits).bound;
  CHECK(cancelled.status == Status::time_limit);
  CHECK(cancelled.remark == "cancelled");
}
