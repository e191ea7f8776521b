// SPDX-License-Identifier: GPL-3.0-or-later
// The report of 'warpspan solve' for programs.
//
// For one number of warps:
// {"schema": "warpspan.solve/1", "string", "warps", "sigma", "results": [...], "transformed", "bracket", "line",
// "policies", "search", "schedule", "interrupted", "errors"}
// For several:
// {"schema": "warpspan.solve-sweep/1", "string", "sigma", "transformed", "problems": [{"warps", "results", "bracket",
// "line", "policies", "search"}], "target", "interrupted", "errors"}
//
//   "string"       as given, repetitions as numbers
//   "sigma"        {"L", "C", "S"}: warps that a class executes in a cycle: an integer, or a text such as "1/2"
//   "results"      [{"method", "makespan": integer or null, "kind": "exact", "upper", "lower" or "published", "safe",
//                  "status": "optimal", "time-limit", "too-large", "overflow" or "not-applicable", "seconds",
//                  "assumptions": [...], "remark"}]; a method may occur twice, then with two kinds
//   "transformed"  {"string": for units narrower than a warp, "servers": {"L", "C", "S"}}
//   "bracket"      {"lower", "upper", "gap"}: lower <= worst case <= upper, either null if not known; gap is
//                  (upper - lower) / upper to four places, null unless both are known
//   "line"         {"slope", "intercept", "valid_from", "valid_to"}: what a certificate proves for every number of
//                  warps from "valid_from" to "valid_to" (null: as many as there may be), as texts such as "4" or
//                  "7/2"; null if there is none
//   "policies"     [{"policy", "makespan"}]: of the simulated schedules
//   "search"       {"states", "dropped", "steps", "resident_states", "memory": bytes} of the exact search
//   "schedule"     null, or the longest schedule found: for each warp the cycles, from 1, of its symbols
//   "target"       null, or {"warps", "results", "bracket", "estimates": [{"warps", "exact", "seconds", "estimate",
//                  "smallest"}]}: the published approximation, which is not safe
//   "interrupted"  whether Ctrl-C ended the search
//   "errors"       as in analyze_json.cpp
//
// Keys come in this order; later versions only add keys behind them. All numbers are integers, except "seconds" and
// "gap". Only "seconds" and "memory" may differ between two runs in which no method runs out of time.
#include "app/reports/bracket.hpp"
#include "app/reports/json.hpp"
#include "app/reports/solve/solve_formats.hpp"

namespace warpspan::app {

namespace {

Json sigma_to_json(const Problem& problem) {
  Json json = Json::object();
  for (size_t k = 0; k < problem.sigma.size(); ++k) {
    const support::Rational& width = problem.sigma[k];
    const std::string letter(1, ir::symbol(static_cast<ir::UnitClass>(k)));
    json[letter] = width.denominator == 1 ? Json(width.numerator) : Json(support::to_string(width));
  }
  return json;
}

Json results_to_json(const solver::Solution& solution) {
  Json json = Json::array();
  for (const solver::Bound& bound : solution.results) {
    json.push_back({{"method", bound.method},
                    {"makespan", or_null(bound.makespan)},
                    {"kind", solver::to_string(bound.kind)},
                    {"safe", bound.safe},
                    {"status", solver::to_string(bound.status)},
                    {"seconds", bound.seconds},
                    {"assumptions", bound.assumptions},
                    {"remark", bound.remark}});
  }
  return json;
}

Json transformed_to_json(const Problem& problem) {
  return {{"string", ir::to_string(problem.transformed.string)}, {"servers", by_unit(problem.transformed.servers)}};
}

Json bracket_to_json(const solver::Solution& solution) {
  const auto part = gap({solution.lower, solution.upper});
  return {{"lower", or_null(solution.lower)},
          {"upper", or_null(solution.upper)},
          {"gap", part ? Json(static_cast<double>(*part) / 10'000) : Json(nullptr)}};
}

Json policies_to_json(const solver::Solution& solution) {
  Json json = Json::array();
  for (const solver::PolicyRun& run : solution.policies) {
    json.push_back({{"policy", to_string(run.policy)}, {"makespan", run.makespan}});
  }
  return json;
}

Json search_to_json(const solver::SearchStatistics& search) {
  return {{"states", search.states},
          {"dropped", search.dropped},
          {"steps", search.steps},
          {"resident_states", search.resident_states},
          {"memory", search.memory}};
}

Json one_problem(const SolveReport& report) {
  const auto& [warps, solution] = report.solved.front();
  return {{"schema", "warpspan.solve/1"},
          {"string", ir::to_string(report.problem.string)},
          {"warps", warps},
          {"sigma", sigma_to_json(report.problem)},
          {"results", results_to_json(solution)},
          {"transformed", transformed_to_json(report.problem)},
          {"bracket", bracket_to_json(solution)},
          {"line", line_to_json(solution.line)},
          {"policies", policies_to_json(solution)},
          {"search", search_to_json(solution.search)},
          {"schedule", report.problem.schedule && solution.schedule ? Json(solution.schedule->cycles) : Json(nullptr)},
          {"interrupted", report.interrupted},
          {"errors", errors_to_json(report.errors)}};
}

Json target_to_json(const SolveReport& report) {
  if (!report.problem.target) return nullptr;
  const auto& [target, solution] = target_of(report);
  Json points = Json::array();
  for (const Estimate& point : estimates(report, target)) {
    points.push_back({{"warps", point.warps},
                      {"exact", point.exact},
                      {"seconds", point.seconds},
                      {"estimate", or_null(point.estimate)},
                      {"smallest", or_null(point.smallest)}});
  }
  return {{"warps", target},
          {"results", results_to_json(solution)},
          {"bracket", bracket_to_json(solution)},
          {"estimates", points}};
}

Json sweep(const SolveReport& report) {
  Json problems = Json::array();
  for (const auto& [warps, solution] : report.solved) {
    problems.push_back({{"warps", warps},
                        {"results", results_to_json(solution)},
                        {"bracket", bracket_to_json(solution)},
                        {"line", line_to_json(solution.line)},
                        {"policies", policies_to_json(solution)},
                        {"search", search_to_json(solution.search)}});
  }
  return {{"schema", "warpspan.solve-sweep/1"},
          {"string", ir::to_string(report.problem.string)},
          {"sigma", sigma_to_json(report.problem)},
          {"transformed", transformed_to_json(report.problem)},
          {"problems", problems},
          {"target", target_to_json(report)},
          {"interrupted", report.interrupted},
          {"errors", errors_to_json(report.errors)}};
}

}  // namespace

std::string to_json(const SolveReport& report, const TextStyle&) {
  return dump(is_sweep(report) ? sweep(report) : one_problem(report));
}

}  // namespace warpspan::app
