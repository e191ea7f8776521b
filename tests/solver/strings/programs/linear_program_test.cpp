// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/programs/linear_program.hpp"

#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <thread>

#include "solver/strings/programs/published_ilp.hpp"
#include "support/memory_limit.hpp"
#include "tests/solver/strings/problems.hpp"

using namespace warpspan::solver;
using Found = ProgramSolution::Status;

namespace {

LinearProgram::Variable continuous(int64_t objective) { return {"", 0, {}, false, objective}; }
LinearProgram::Variable whole(int64_t objective) { return {"", 0, {}, true, objective}; }

// Maximise 3x + 2y with x + y <= 4, x + 3y <= 6, x <= 3: 11 at (3, 1).
LinearProgram textbook() {
  LinearProgram program;
  program.variables = {{"x", 0, 3, false, 3}, {"y", 0, {}, false, 2}};
  program.rows = {{"a", {}, 4, {{0, 1}, {1, 1}}}, {"b", {}, 6, {{0, 1}, {1, 3}}}};
  return program;
}

// 2 (x_1 + ... + x_n) = n for an odd n: only the relaxation has a solution.
LinearProgram odd_sum(size_t n) {
  LinearProgram program;
  program.rows.push_back({"odd", {}, {}, {}});
  for (size_t j = 0; j < n; ++j) {
    program.variables.push_back({"", 0, 1, true, 1});
    program.rows[0].terms.emplace_back(j, 2);
  }
  program.rows[0].lower = program.rows[0].upper = static_cast<int64_t>(n);
  return program;
}

// Programs on which branch and bound takes far longer than any limit here. The optimum is 4 * workers + 1, that of the
// relaxation at most 5 * workers.
LinearProgram long_lasting(int64_t workers) { return build_published_ilp(problem("LLCLL", workers, {1, 1})).value(); }

bool has_child() { return waitpid(-1, nullptr, WNOHANG) >= 0; }

}  // namespace

TEST_CASE("a linear program's values, multipliers and bound") {
  const ProgramSolution solution = solve(textbook(), {});
  REQUIRE(solution.status == Found::optimal);
  REQUIRE(solution.values.size() == 2);
  CHECK(solution.values[0] == Approx(3));
  CHECK(solution.values[1] == Approx(1));
  REQUIRE(solution.duals.size() == 2);  // not unique: three lines meet at (3, 1)
  CHECK(solution.dual_bound.value() == Approx(11));
  LinearProgram unique = textbook();
  unique.rows[1].upper = 9;
  const ProgramSolution other = solve(unique, {});
  REQUIRE(other.duals.size() == 2);
  CHECK(other.duals[0] == Approx(2));
  CHECK(other.duals[1] == Approx(0).margin(1e-9));
}

TEST_CASE("variables without bounds, equations and ranges") {
  LinearProgram program;
  program.variables = {{"x", {}, {}, false, -1}, {"y", {}, 5, false, 1}, {"z", -7, {}, false, -1}};
  program.rows = {{"equal", 2, 2, {{0, 1}, {1, 1}}}, {"range", -6, 1, {{2, 1}}}};
  const ProgramSolution solution = solve(program, {});
  REQUIRE(solution.status == Found::optimal);
  CHECK(solution.values[0] == Approx(-3));
  CHECK(solution.values[1] == Approx(5));
  CHECK(solution.values[2] == Approx(-6));
}

TEST_CASE("an integer program's optimum is not its relaxation's") {
  LinearProgram program;
  program.variables = {whole(5), whole(4), whole(3)};
  program.rows = {{"", {}, 5, {{0, 2}, {1, 3}, {2, 1}}},
                  {"", {}, 10, {{0, 4}, {1, 1}, {2, 2}}},
                  {"", {}, 7, {{0, 3}, {1, 4}, {2, 2}}}};
  const ProgramSolution solution = solve(program, {});
  REQUIRE(solution.status == Found::optimal);
  int64_t best = 0;  // by trying all
  for (int64_t a = 0; a <= 2; ++a) {
    for (int64_t b = 0; b <= 1; ++b) {
      for (int64_t c = 0; c <= 3; ++c) {
        if (2 * a + 3 * b + c <= 5 && 4 * a + b + 2 * c <= 10 && 3 * a + 4 * b + 2 * c <= 7) {
          best = std::max(best, 5 * a + 4 * b + 3 * c);
        }
      }
    }
  }
  CHECK(solution.dual_bound.value() == Approx(best));
  CHECK(5 * std::round(solution.values[0]) + 4 * std::round(solution.values[1]) + 3 * std::round(solution.values[2]) ==
        static_cast<double>(best));
  CHECK(solution.duals.empty());
  for (auto& variable : program.variables) variable.is_integer = false;
  CHECK(solve(program, {}).dual_bound.value() > static_cast<double>(best) + 0.1);
}

TEST_CASE("programs without a solution, or with no best one") {
  for (const bool is_integer : {false, true}) {
    LinearProgram program;
    program.variables = {is_integer ? whole(1) : continuous(1)};
    program.rows = {{"", 3, {}, {{0, 1}}}};
    CHECK(solve(program, {}).status == Found::unbounded);
    program.rows.push_back({"", {}, 2, {{0, 1}}});
    CHECK(solve(program, {}).status == Found::infeasible);
    program.rows = {{"", 3, 2, {{0, 1}}}};
    CHECK(solve(program, {}).status == Found::infeasible);
  }
  const ProgramSolution odd = solve(odd_sum(9), {});
  CHECK(odd.status == Found::infeasible);
  CHECK(odd.values.empty());
  CHECK_FALSE(odd.dual_bound.has_value());
}

TEST_CASE("programs without rows or variables") {
  LinearProgram program;
  CHECK(solve(program, {}).status == Found::optimal);
  program.variables = {{"", 0, 4, false, 2}};
  CHECK(solve(program, {}).dual_bound.value() == Approx(8));
  program.variables[0].is_integer = true;
  CHECK(solve(program, {}).dual_bound.value() == Approx(8));
}

TEST_CASE("the solver's own breakdown does not break this program") {
  LinearProgram twice = textbook();
  twice.rows[0].terms.emplace_back(0, 1);
  CHECK(solve(twice, {}).status == Found::failed);
  LinearProgram beyond = textbook();
  beyond.rows[0].terms.emplace_back(7, 1);
  CHECK(solve(beyond, {}).status == Found::failed);
  CHECK(solve(textbook(), {}).status == Found::optimal);
  CHECK_FALSE(has_child());
}

TEST_CASE("a program that needs more memory than allowed says so") {
  ProgramLimits limits;
  limits.memory = 1 << 20;
  const ProgramSolution solution = solve(long_lasting(8), limits);
  CHECK(solution.status == Found::too_large);
  CHECK(solution.values.empty());
  CHECK_FALSE(has_child());
}

TEST_CASE("a time limit ends the solver and keeps its best bound") {
  ProgramLimits limits;
  limits.seconds = 0;
  CHECK(solve(textbook(), limits).status == Found::time_limit);
  limits.seconds = 1;
  const ProgramSolution solution = solve(long_lasting(3), limits);
  CHECK(solution.seconds < 100);
  CHECK(solution.status == (solution.values.empty() ? Found::time_limit : Found::feasible));
  CHECK(solution.duals.empty());
  CHECK(solution.dual_bound.value() > 13 - 1e-6);
  CHECK(solution.dual_bound.value() < 15 + 1e-6);
  CHECK_FALSE(has_child());
}

TEST_CASE("a cancelled solver ends soon") {
  std::atomic<bool> cancel = false;
  ProgramLimits limits;
  limits.seconds = 1000;
  limits.cancel = &cancel;
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    cancel = true;
  });
  const ProgramSolution solution = solve(long_lasting(8), limits);
  canceller.join();
  CHECK(solution.status == Found::time_limit);
  CHECK(solution.seconds < 100);
  CHECK_FALSE(has_child());
  CHECK(solve(textbook(), limits).status == Found::time_limit);
}

// The sanitizers' allocator is not prepared for a fork beside threads that allocate: its locks stay taken in the child.
TEST_CASE("several threads solve at a time") {
  std::vector<Found> found(warpspan::support::sanitized ? 1 : 4, Found::failed);
  std::vector<std::thread> threads;
  for (Found& status : found) {
    threads.emplace_back([&status] {
      for (int i = 0; i < 5; ++i) status = solve(textbook(), {}).status;
    });
  }
  for (auto& thread : threads) thread.join();
  for (const Found status : found) CHECK(status == Found::optimal);
  CHECK_FALSE(has_child());
}

TEST_CASE("a linear program in LP format") {
  LinearProgram program;
  program.variables = {{"x", 0, 3, true, 3},
                       {"y(1,2)", {}, {}, false, -2},
                       {"z", {}, 4, false, 0},
                       {"u", -5, {}, true, 0},
                       {"v", 2, 2, false, 1}};
  program.rows = {{"a", {}, 4, {{0, 1}, {1, -1}}},
                  {"b", 1, 6, {{0, 1}, {2, 3}}},
                  {"c", 7, 7, {{3, 2}}},
                  {"d", -9, {}, {{4, 1}}},
                  {"f", 0, {}, {}}};
  CHECK(to_lp_format(program) ==
        "Maximize\n"
        " objective: + 3 x - 2 y(1,2) + 1 v\n"
        "Subject To\n"
        " a: + 1 x - 1 y(1,2) <= 4\n"
        " b: + 1 x + 3 z >= 1\n"
        "  + 1 x + 3 z <= 6\n"
        " c: + 2 u = 7\n"
        " d: + 1 v >= -9\n"
        " f: 0 x >= 0\n"
        "Bounds\n"
        " 0 <= x <= 3\n"
        " y(1,2) free\n"
        " -inf <= z <= 4\n"
        " -5 <= u\n"
        " v = 2\n"
        "Generals\n"
        " x\n"
        " u\n"
        "End\n");
}

TEST_CASE("names that LP format does not allow are replaced") {
  LinearProgram program;
  program.variables = {{"fine", 0, {}, false, 1}, {"e1", 0, {}, false, 1}};
  program.rows = {{"same", {}, 4, {{0, 1}}}, {"same", {}, 5, {{1, 1}}}};
  CHECK(to_lp_format(program) ==
        "Maximize\n"
        " objective: + 1 x1 + 1 x2\n"
        "Subject To\n"
        " r1: + 1 x1 <= 4\n"
        " r2: + 1 x2 <= 5\n"
        "Bounds\n"
        " 0 <= x1\n"
        " 0 <= x2\n"
        "End\n");
  for (const char* name : {"", "2x", "a b", "a+b", "Free", "x>=1", ".x"}) {
    program.variables[1].name = name;
    CHECK(to_lp_format(program).find("+ 1 x1 + 1 x2") != std::string::npos);
  }
  program.variables[1].name = "also_fine";
  CHECK(to_lp_format(program).find("+ 1 fine + 1 also_fine") != std::string::npos);
}
