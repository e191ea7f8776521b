// SPDX-License-Identifier: GPL-3.0-or-later
// The methods help each other. A certificate guides the simulated schedules and makes the horizon of the counting
// program shorter; a schedule lets the exact search leave out what cannot be longer; and where the longest schedule is
// as long as a safe bound allows, the worst case is known and there is nothing to search. Where a gap is left after the
// search, a certificate is sought again with longer contexts, which can take as long as it likes then.
//
// What is safe here is what integer arithmetic alone has shown: an integer program's optimum rests on GLPK's floating
// point, so it is listed, and its schedule counts, but it is no upper end of the bracket.
#include "solver/strings/solve.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "solver/strings/bounds/list_bound.hpp"
#include "solver/strings/run.hpp"
#include "solver/strings/schedules/string.hpp"

namespace warpspan::solver {

namespace {

// Searched in less time than a certificate may take to find.
constexpr int64_t easy_states = 200'000;

bool needs(const Run& run, MethodRow::Needs needed) {
  const auto& methods = run.options.methods;
  return std::any_of(methods.begin(), methods.end(), [&](Method method) { return method.row().needs == needed; });
}

void find_certificate(Run& run) {
  run.show(Method::certificate);
  run.certificate = certificate_bound(run.problem, run.certificate_limits(Method::certificate));
  run.consider(run.certificate.bound);
}

void simulate(Run& run) {
  run.show(Method::witness);
  WitnessLimits limits;
  limits.seconds = run.share(Method::witness) / 2;  // the rest is for the exact search
  limits.cancel = run.options.cancel;
  limits.enough = run.solution.upper;
  run.witness = find_witness(run.problem, run.known_certificate(), limits);
  const Bound& longest = run.witness.bound;
  run.consider(longest);
  if (longest.makespan) run.offer(std::move(run.witness.schedule), *longest.makespan, Method::witness);
}

// What the methods need.
void prepare(Run& run, support::Integer length) {
  run.list = list_bound(run.problem);
  run.consider(run.list);
  const bool simulates = needs(run, MethodRow::Needs::simulation) || run.options.schedule;
  const bool is_hard = most_states(run.problem.workers, length, easy_states) > easy_states;
  if (needs(run, MethodRow::Needs::certificate) || (is_hard && simulates)) find_certificate(run);
  if (simulates) simulate(run);
}

support::Diagnostic contradiction(const Solution& solution) {
  return support::internal_error("a schedule takes " + std::to_string(*solution.lower) + " cycles, a safe bound is " +
                                 std::to_string(*solution.upper));
}

void compare_with_schedules(Bound& bound, const std::optional<int64_t>& longest) {
  if (!bound.makespan || bound.kind == Kind::lower || !longest || *bound.makespan >= *longest) return;
  bound = not_safe(std::move(bound), "below a schedule that takes " + std::to_string(*longest) + " cycles");
}

support::Result<Solution> finish(Run& run) {
  Solution& solution = run.solution;
  if (solution.lower && solution.upper && *solution.lower > *solution.upper) return contradiction(solution);
  for (Bound& bound : solution.results) compare_with_schedules(bound, solution.lower);
  if (run.wants(Method::certificate)) solution.certificate = std::move(run.certificate.certificate);
  return std::move(solution);
}

}  // namespace

support::Result<Solution> solve(const StringProblem& problem, const SolveOptions& options) {
  const auto counts = validate(problem);
  if (!counts) return counts.errors();
  Run run(problem, options);
  prepare(run, counts->length);
  for (const Method method : all_methods()) {
    if (!run.wants(method)) continue;
    run.show(method);
    method.row().run(run, method);
  }
  return finish(run);
}

}  // namespace warpspan::solver
