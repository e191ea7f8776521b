#include "app/reports/solve_json.hpp"

#include "app/reports/bracket.hpp"
#include "app/reports/json.hpp"

namespace warpspan::app {

namespace {

Json or_null(const std::optional<int64_t>& value) { return value ? Json(*value) : Json(nullptr); }

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
          {"schedule", solution.schedule ? Json(solution.schedule->cycles) : Json(nullptr)},
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

std::string to_json(const SolveReport& report) { return dump(is_sweep(report) ? sweep(report) : one_problem(report)); }

}  // namespace warpspan::app
