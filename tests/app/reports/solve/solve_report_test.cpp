// SPDX-License-Identifier: GPL-3.0-or-later
// The reports of 'solve' on results made by hand.
#include "app/reports/solve/solve_report.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/solve_values.hpp"
#include "app/reports/solve/schedule_text.hpp"
#include "app/reports/solve/solve_formats.hpp"

using namespace warpspan;
using namespace warpspan::app;

using solver::Kind;
using solver::Method;
using solver::Status;

namespace {

solver::Bound bound(Method method, std::optional<int64_t> makespan, Kind kind, bool safe) {
  solver::Bound result;
  result.method = to_string(method);
  result.makespan = makespan;
  result.kind = kind;
  result.safe = safe;
  result.seconds = 0.25;
  result.assumptions = {"One cycle a symbol."};
  return result;
}

// LCL with four warps: a schedule of 9 cycles, an exact search that was cut short, a certificate of 12.
SolveReport example() {
  SolveReport report;
  report.problem.string = *parse_string("--string", "LCL");
  report.problem.transformed.string = report.problem.string;
  report.problem.warps = {4};
  report.problem.methods = {Method::witness, Method::exact, Method::certificate};
  solver::Solution solution;
  solution.results = {
      bound(Method::witness, 9, Kind::lower, false),
      solver::without_value(bound(Method::exact, 0, Kind::exact, true), Status::time_limit, "out of time"),
      bound(Method::certificate, 12, Kind::upper, true)};
  solution.lower = 9;
  solution.upper = 12;
  solution.line = solver::Line{{7, 2}, {-1, 1}};
  solution.search.states = 1'000'000;
  report.solved = {{4, solution}};
  return report;
}

// Exact values of LCL for 1 to 4 warps, with 3 unknown.
SolveReport example_sweep() {
  SolveReport report = example();
  report.problem.warps = {1, 2, 3, 4};
  report.problem.methods = {Method::exact, Method::list, Method::raravi};
  report.problem.target = 10;
  report.solved.clear();
  for (const int64_t warps : report.problem.warps) {
    const int64_t exact = warps == 1 ? 3 : warps == 2 ? 4 : 9;
    solver::Solution solution;
    solution.results = {bound(Method::exact, exact, Kind::exact, true),
                        bound(Method::list, 3 * warps, Kind::upper, true),
                        solver::without_value(bound(Method::raravi, 0, Kind::published, false), Status::not_applicable,
                                              "another shape")};
    solution.lower = solution.upper = exact;
    if (warps == 3) {
      solution.results[0] = solver::without_value(solution.results[0], Status::time_limit, "out of time");
      solution.lower = 6;
      solution.upper = 9;
    }
    report.solved.push_back({warps, solution});
  }
  report.target = SolvedProblem{10, {}};
  report.target->solution.results = {bound(Method::list, 30, Kind::upper, true)};
  report.target->solution.upper = 30;
  return report;
}

}  // namespace

TEST_CASE("the whole text of a problem") {
  CHECK(to_text(example(), false) == R"(problem
  string         LCL
  sigma          L 1, C 1, S 1 warps per cycle
  warps          4

  9 <= worst-case makespan <= 12 cycles (gap 25 %)

    method       cycles  seconds  kind        safe
    witness           9    0.250  lower       no
    exact             -    0.250  time-limit  -     out of time
    certificate      12    0.250  upper       yes

  for any warps  T(W) <= 7W/2 - 1 for every W >= 2
  search         1,000,000 states, 4,000,000 states/s

  assumptions
    1. One cycle a symbol. [all]
)");
}

TEST_CASE("lines as people write them") {
  CHECK(line_text({{4, 1}, {1, 1}}) == "T(W) <= 4W + 1 for every W >= 2");
  CHECK(line_text({{1, 1}, {0, 1}}) == "T(W) <= W for every W >= 2");
  CHECK(line_text({{7, 2}, {1, 2}}) == "T(W) <= 7W/2 + 1/2 for every W >= 2");
  CHECK(line_text({{1, 2}, {-3, 1}}) == "T(W) <= W/2 - 3 for every W >= 2");
  CHECK(line_text({{0, 1}, {5, 1}}) == "T(W) <= 5 for every W >= 2");
  CHECK(line_text({{-1, 1}, {5, 1}}) == "T(W) <= -W + 5 for every W >= 2");
  CHECK(line_text({{1, 1}, {2, 1}, 3}) == "T(W) <= W + 2 for every W >= 3");
  CHECK(line_text({{1, 1}, {2, 1}, 2, 2}) == "T(W) <= W + 2 for W = 2");
  CHECK(line_text({{1, 1}, {2, 1}, 2, 4}) == "T(W) <= W + 2 for 2 <= W <= 4");
}

TEST_CASE("the whole text of a sweep") {
  CHECK(to_text(example_sweep(), false) == R"(problem
  string         LCL
  sigma          L 1, C 1, S 1 warps per cycle

    warps  lower  upper  exact  list
        1      3      3      3     3
        2      4      4      4     6
        3      6      9      -     9
        4      9      9      9    12
    raravi: another shape

  T(10) <= 30 cycles
    x  T(x)  ceil(10/x) * T(x)  smallest so far
    1     3                 30               30
    2     4                 20               20
    4     9                 27               20
    The published approximation is the last of the smallest; it is not safe.

  assumptions
    1. One cycle a symbol. [all]
)");
}

TEST_CASE("a result that was cut short is shown as what it is") {
  SolveReport report = example_sweep();
  report.problem.methods.push_back(Method::ilp);
  for (SolvedProblem& solved : report.solved) {
    solved.solution.results.push_back(bound(Method::ilp, 14, Kind::upper, false));
    solved.solution.results.back().status = Status::time_limit;
  }
  CHECK(to_text(report, false).find("        4      9      9      9    12  <= 14\n") != std::string::npos);
  CHECK(to_csv(report).find("4,9,9,9,0.250000,12,,\n") != std::string::npos);
}

TEST_CASE("estimates from exact values") {
  const auto all = estimates(example_sweep(), 3);
  REQUIRE(all.size() == 2);  // neither the unknown T(3) nor T(4)
  CHECK(all[0].estimate == 9);
  CHECK(all[1].estimate == 8);
  CHECK(all[1].smallest == 8);
  CHECK(all[1].seconds == 0.25);
  const auto large = estimates(example_sweep(), INT64_MAX);
  CHECK_FALSE(large[0].estimate);  // 3 * (2^63 - 1)
  CHECK_FALSE(large[0].smallest);
}

TEST_CASE("the JSON of both") {
  const auto one = nlohmann::json::parse(to_json(example()));
  CHECK(one.at("bracket") == nlohmann::json{{"lower", 9}, {"upper", 12}, {"gap", 0.25}});
  CHECK(one.at("line") ==
        nlohmann::json{{"slope", "7/2"}, {"intercept", "-1"}, {"valid_from", 2}, {"valid_to", nullptr}});
  CHECK(one.at("results").at(1).at("makespan").is_null());
  CHECK(one.at("results").at(1).at("status") == "time-limit");
  CHECK(one.at("schedule").is_null());

  const auto sweep = nlohmann::json::parse(to_json(example_sweep()));
  CHECK(sweep.at("schema") == "warpspan.solve-sweep/1");
  REQUIRE(sweep.at("problems").size() == 4);
  CHECK(sweep.at("problems").at(2).at("bracket") == nlohmann::json{{"lower", 6}, {"upper", 9}, {"gap", 0.3333}});
  CHECK(sweep.at("target").at("warps") == 10);
  CHECK(sweep.at("target").at("bracket").at("gap").is_null());
  REQUIRE(sweep.at("target").at("estimates").size() == 3);
  CHECK(sweep.at("target").at("estimates").at(2) ==
        nlohmann::json{{"warps", 4}, {"exact", 9}, {"seconds", 0.25}, {"estimate", 27}, {"smallest", 20}});
}

TEST_CASE("the table for other programs") {
  CHECK(to_csv(example_sweep()) ==
        "warps,lower,upper,exact,exact_seconds,list,raravi\n"
        "1,3,3,3,0.250000,3,\n2,4,4,4,0.250000,6,\n3,6,9,,0.250000,9,\n4,9,9,9,0.250000,12,\n");
}

TEST_CASE("the picture has a line for each method that found something") {
  const std::string picture = to_svg(example_sweep());
  for (const char* text : {">exact<", ">list<", ">ceil(10/x) * T(x)<", ">smallest so far<", ">time for T(x)<",
                           ">(b) T(10) estimated from T(x), not safe, and its bounds<", ">100 ms<"}) {
    INFO(text);
    CHECK(picture.find(text) != std::string::npos);
  }
  CHECK(picture.find("raravi") == std::string::npos);
  CHECK(picture == to_svg(example_sweep()));
}

TEST_CASE("a schedule is drawn as a table") {
  CHECK(draw({{{1, 2, 4}, {3, 4, 5}}}, "LCL") ==
        "    cycle  1  2  3  4  5\n"
        "    warp 1 L1 C2 .  L3\n"
        "    warp 2 .  .  L1 C2 L3\n");
}

TEST_CASE("a long schedule is drawn in blocks, a long string without numbers") {
  solver::Schedule schedule;
  schedule.cycles.resize(1);
  for (int64_t cycle = 1; cycle <= 120; ++cycle) schedule.cycles[0].push_back(cycle);
  const std::string drawn = draw(schedule, std::string(120, 'C'));
  size_t lines = 0, longest = 0;
  for (size_t begin = 0, end = 0; begin < drawn.size(); begin = end + 1, ++lines) {
    end = drawn.find('\n', begin);
    longest = std::max(longest, end - begin);
  }
  CHECK(longest <= 100);
  CHECK(lines == 6 * 3 - 1);
  CHECK(drawn.find("C1") == std::string::npos);
  CHECK(drawn.find("    cycle  23 ") != std::string::npos);
}
