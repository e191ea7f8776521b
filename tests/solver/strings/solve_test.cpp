// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/solve.hpp"

#include <catch2/catch.hpp>

#include "solver/strings/schedules/string.hpp"
#include "tests/solver/strings/problems.hpp"

using namespace warpspan::solver;

namespace {

std::vector<std::string> methods_in(const Solution& solution) {
  std::vector<std::string> methods;
  for (const Bound& bound : solution.results) methods.push_back(bound.method);
  return methods;
}

const Bound& result_of(const Solution& solution, Method method) {
  const auto found = std::find_if(solution.results.begin(), solution.results.end(),
                                  [&](const Bound& bound) { return bound.method == to_string(method); });
  REQUIRE(found != solution.results.end());
  return *found;
}

SolveOptions only(std::vector<Method> methods) {
  SolveOptions options;
  options.methods = std::move(methods);
  return options;
}

const std::vector<Method> quick_methods = {Method::witness,   Method::exact,     Method::certificate, Method::list,
                                           Method::published, Method::tractable, Method::raravi};

}  // namespace

TEST_CASE("all methods on one problem") {
  const auto solution = solve(problem("LLC", 3, {1, 1}));
  REQUIRE(solution.ok());
  CHECK(methods_in(*solution) == std::vector<std::string>{"witness", "exact", "certificate", "list", "published",
                                                          "tractable", "raravi", "ilp-count", "ilp", "ilp-long"});
  CHECK(solution->lower == 7);
  CHECK(solution->upper == 7);
  for (const Method method :
       {Method::witness, Method::exact, Method::certificate, Method::ilp_count, Method::ilp, Method::ilp_long}) {
    CHECK(result_of(*solution, method).makespan == 7);
  }
  CHECK(result_of(*solution, Method::list).makespan == 9);
  CHECK(result_of(*solution, Method::raravi).status == Status::not_applicable);
  CHECK(solution->line->slope == warpspan::support::Rational{2, 1});
  CHECK(solution->certificate.has_value());
  CHECK_FALSE(solution->schedule.has_value());
  CHECK(solution->policies.size() >= 6);
}

TEST_CASE("only the methods asked for are reported, in their order") {
  const auto solution = solve(problem("LLCLL", 3, {1, 1}), only({Method::list, Method::exact}));
  REQUIRE(solution.ok());
  CHECK(methods_in(*solution) == std::vector<std::string>{"exact", "list"});
  CHECK_FALSE(solution->certificate.has_value());
  CHECK(solution->policies.empty());
}

TEST_CASE("published values below a schedule say so, and are not safe") {
  struct Case {
    const char* text;
    int64_t workers;
    std::vector<int64_t> servers;
    Method method;
    int64_t published, worst;
  };
  for (const auto& [text, workers, servers, method, published, worst] :
       {Case{"CC", 4, {1, 2}, Method::published, 4, 5}, Case{"LCL", 4, {1, 1}, Method::tractable, 8, 9},
        Case{"LCLL", 4, {1, 1}, Method::tractable, 12, 13}, Case{"LCL", 6, {1, 1}, Method::tractable, 12, 13},
        Case{"LCLLL", 4, {1, 1}, Method::tractable, 16, 17}, Case{"CLLCLLCL", 1, {1, 2}, Method::raravi, 7, 8},
        Case{"CLLCLLCL", 4, {1, 2}, Method::raravi, 22, 23}}) {
    CAPTURE(text, workers);
    const auto solution = solve(problem(text, workers, servers), only(quick_methods));
    REQUIRE(solution.ok());
    const Bound& bound = result_of(*solution, method);
    CHECK(bound.makespan == published);
    CHECK_FALSE(bound.safe);
    CHECK(bound.remark.starts_with("below a schedule that takes " + std::to_string(worst) + " cycles; "));
    CHECK(solution->lower == worst);
    CHECK(solution->upper == worst);
  }
}

TEST_CASE("the published program with its own horizon misses the worst case, and says so") {
  SolveOptions options = only({Method::exact, Method::ilp});
  options.horizon = Horizon::published;
  const auto solution = solve(problem("CC", 4, {1, 2}), options);
  REQUIRE(solution.ok());
  const Bound& bound = result_of(*solution, Method::ilp);
  CHECK(bound.makespan == 4);
  CHECK(bound.kind == Kind::published);
  CHECK_FALSE(bound.safe);
  CHECK(bound.remark.starts_with("below a schedule that takes 5 cycles; "));
  CHECK(solution->lower == 5);
}

TEST_CASE("large problems are solved where a schedule meets the certificate") {
  struct Case {
    String string;
    int64_t workers;
    std::vector<int64_t> servers;
    int64_t worst;
  };
  for (const auto& [string, workers, servers, worst] :
       {Case{letters("LLCLL"), 600, {1, 1}, 2401}, Case{letters("LLCLLCLL"), 420, {1, 1}, 2522}}) {
    const auto solution = solve({string, workers, servers}, only(quick_methods));
    REQUIRE(solution.ok());
    CHECK(solution->lower == worst);
    CHECK(solution->upper == worst);
    const Bound& exact = result_of(*solution, Method::exact);
    CHECK(exact.makespan == worst);
    CHECK(exact.safe);
    CHECK(exact.remark == "found without a search: a schedule takes as long as a safe bound allows");
  }
}

TEST_CASE("a schedule on request is as long as the lower end says") {
  for (const Method method : {Method::list, Method::exact, Method::ilp_count}) {
    SolveOptions options = only({method});
    options.schedule = true;
    const StringProblem instance = problem("LLCCLC", 3, {1, 1});
    const auto solution = solve(instance, options);
    REQUIRE(solution.ok());
    REQUIRE(solution->schedule.has_value());
    CHECK(solution->schedule_by.has_value());
    CHECK(makespan_of(*solution->schedule, expand(instance.string, 10).value(), instance.servers) == solution->lower);
  }
}

TEST_CASE("what remains without time is what needs none") {
  SolveOptions options = only(all_methods());
  options.seconds = 0;
  const auto late = solve(problem("LLCLLSS", 30, {1, 1, 1}), options);
  REQUIRE(late.ok());
  CHECK(late->upper == 7 + 29 * 7);
  CHECK(result_of(*late, Method::exact).status == Status::time_limit);
  CHECK(result_of(*late, Method::ilp_count).status == Status::time_limit);

  options.seconds = 1000;
  const std::atomic<bool> cancel = true;
  options.cancel = &cancel;
  const auto cancelled = solve(problem("LLCLLSS", 30, {1, 1, 1}), options);
  REQUIRE(cancelled.ok());
  CHECK(cancelled->upper == 7 + 29 * 7);
  CHECK(result_of(*cancelled, Method::exact).remark == "cancelled");
}

TEST_CASE("huge problems are answered with what can be said") {
  const auto workers = solve(problem("LLCLL", 1'000'000'000, {1, 1}), only(quick_methods));
  REQUIRE(workers.ok());
  CHECK(workers->upper == 4'000'000'001);
  CHECK(result_of(*workers, Method::witness).status == Status::too_large);
  CHECK(result_of(*workers, Method::exact).status == Status::too_large);

  const auto rounds =
      solve({{symbol('C'), group(letters("LLC"), 1'000'000), symbol('L')}, 48, {1, 2}}, only(quick_methods));
  REQUIRE(rounds.ok());
  CHECK(rounds->upper == 97'000'049);
}

TEST_CASE("progress is told by the calling thread, with what is known") {
  std::vector<Method> seen;
  SolveOptions options = only({Method::witness, Method::exact, Method::certificate});
  options.progress = [&](const Progress& progress) {
    CHECK((!progress.fraction || (*progress.fraction >= 0 && *progress.fraction <= 1)));
    CHECK(progress.upper.has_value());
    seen.push_back(progress.method);
  };
  REQUIRE(solve(problem("LLCLL", 4, {1, 1}), options).ok());
  CHECK(std::find(seen.begin(), seen.end(), Method::certificate) != seen.end());
  CHECK(std::find(seen.begin(), seen.end(), Method::exact) != seen.end());
}

TEST_CASE("what is no problem is refused with all that is wrong") {
  CHECK_FALSE(solve({{}, 3, {1}}).ok());
  const auto refused = solve(problem("LC", -1, {0, 1}));
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.errors().size() == 2);
  CHECK(refused.errors().front().cause == warpspan::support::Cause::usage);
}
