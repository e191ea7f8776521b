// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/programs/ilp.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/makespan/assumptions.hpp"
#include "solver/strings/bounds/list_bound.hpp"
#include "solver/strings/bounds/published_bound.hpp"
#include "solver/strings/schedules/deadline.hpp"
#include "solver/strings/schedules/string.hpp"

namespace warpspan::solver {

using support::Integer;

namespace {

constexpr const char* as_glpk_reports =
    "No longer schedule exists, as GLPK reports it from computations in floating point.";
constexpr const char* horizon_too_short =
    "not safe where a class has two or more servers: schedules that take longer than the published bound are left out";

// GLPK's bounds on an integer optimum are exact up to this.
constexpr double tolerance = 1e-6;

Bound named(std::string method) {
  Bound bound;
  bound.method = std::move(method);
  bound.kind = Kind::exact;
  bound.assumptions = string_model();
  return bound;
}

std::string too_large_remark(const ProgramSize& size, int64_t most_entries) {
  const auto rows = size.rows.value();
  const auto columns = size.columns.value();
  if (!rows || !columns) return "the program has more than 2^63 - 1 rows or columns";
  return "the program has " + std::to_string(*rows) + " rows and " + std::to_string(*columns) +
         " columns; their product may be " + std::to_string(most_entries);
}

// The upper bound that the solver stopped with, if it has one that is any use.
std::optional<int64_t> upper_bound(const HorizonProblem& problem, const ProgramSolution& solution) {
  if (!solution.dual_bound || std::isnan(*solution.dual_bound)) return std::nullopt;
  const auto cycles = static_cast<double>(problem.cycles);
  return static_cast<int64_t>(std::floor(std::clamp(*solution.dual_bound, 0.0, cycles) + tolerance));
}

Bound optimum(Bound bound, const HorizonProblem& problem, const ProgramSolution& solution,
              std::optional<int64_t> makespan) {
  if (!makespan || makespan != upper_bound(problem, solution)) {
    return without_value(std::move(bound), Status::failed, "the solution that GLPK reports is not a schedule");
  }
  bound.kind = problem.safe ? Kind::exact : Kind::published;
  bound.safe = problem.safe;
  bound.makespan = makespan;
  // A schedule as long as the horizon needs no bound to be proven.
  if (static_cast<size_t>(*makespan) < problem.cycles) bound.assumptions.push_back(as_glpk_reports);
  if (!problem.safe) bound.remark = horizon_too_short;
  return bound;
}

Bound stopped(Bound bound, const HorizonProblem& problem, const ProgramSolution& solution,
              const ProgramLimits& limits) {
  const std::string reason = end_of_time(limits.cancel);
  const auto makespan = upper_bound(problem, solution);
  if (!makespan) return without_value(std::move(bound), Status::time_limit, reason);
  bound.kind = problem.safe ? Kind::upper : Kind::published;
  bound.status = Status::time_limit;
  bound.makespan = makespan;
  bound.remark = reason + ": the upper bound as GLPK reported it last, not certified";
  if (!problem.safe) bound.remark += std::string("; ") + horizon_too_short;
  return bound;
}

Bound lower_bound(Bound bound, int64_t makespan) {
  bound.kind = Kind::lower;
  bound.status = Status::time_limit;
  bound.makespan = makespan;
  bound.remark = "out of time: the longest schedule found";
  return bound;
}

Bound without_solution(Bound bound, const HorizonProblem& problem, ProgramSolution::Status status,
                       const ProgramLimits& limits) {
  if (status == ProgramSolution::Status::too_large) {
    return without_value(std::move(bound), Status::too_large,
                         "GLPK needs more than " + std::to_string(limits.memory) + " bytes of memory");
  }
  if (status == ProgramSolution::Status::infeasible) {
    return without_value(std::move(bound), Status::failed,
                         "GLPK reports that no schedule ends within " + std::to_string(problem.cycles) + " cycles");
  }
  return without_value(std::move(bound), Status::failed, "GLPK failed");
}

}  // namespace

std::variant<HorizonProblem, Refusal> over_horizon(const StringProblem& problem, const HorizonChoice& choice,
                                                   ProgramSize (*size)(const Dimensions&), int64_t most_entries) {
  const auto counts = validate(problem);
  if (!counts) return Refusal{Status::not_applicable, counts.errors().front().message};
  HorizonProblem laid_out;
  for (size_t k = 0; k < problem.servers.size(); ++k) {
    if (!(counts->of_class[k] == Integer(0))) laid_out.classes.push_back(k);
  }
  const Bound list = list_bound(problem);
  const Bound bound = choice.horizon == Horizon::safe ? list : published_bound(problem);
  if (!bound.makespan) return Refusal{bound.status, bound.remark};
  const int64_t cycles = std::min(*bound.makespan, std::max<int64_t>(1, choice.known_bound.value_or(INT64_MAX)));
  const Integer classes(static_cast<int64_t>(laid_out.classes.size()));
  const ProgramSize program = size({problem.workers, counts->length, cycles, classes});
  const auto entries = (program.rows * program.columns).value();
  if (!entries || *entries > most_entries) return Refusal{Status::too_large, too_large_remark(program, most_entries)};
  laid_out.symbols = *expand(problem.string, *counts->length.value());  // of which there are fewer than rows
  laid_out.workers = static_cast<size_t>(problem.workers);
  for (const int64_t servers : problem.servers) laid_out.servers.push_back(std::min(servers, problem.workers));
  laid_out.cycles = static_cast<size_t>(cycles);
  laid_out.safe = bound.safe || (list.makespan && *bound.makespan >= *list.makespan);
  return laid_out;
}

IlpResult interpret(std::string method, const HorizonProblem& problem, const ProgramSolution& solution,
                    std::optional<Schedule> schedule, const ProgramLimits& limits) {
  using Program = ProgramSolution::Status;
  IlpResult result;
  const Bound bound = named(std::move(method));
  const auto makespan = schedule ? makespan_of(*schedule, problem.symbols, problem.servers) : std::nullopt;
  if (solution.status == Program::optimal) {
    result.bound = optimum(bound, problem, solution, makespan);
  } else if (solution.status == Program::feasible || solution.status == Program::time_limit) {
    result.bound = stopped(bound, problem, solution, limits);
    if (makespan) result.lower = lower_bound(bound, *makespan);
  } else {
    result.bound = without_solution(bound, problem, solution.status, limits);
  }
  if (makespan && (result.bound.makespan || result.lower)) result.schedule = std::move(schedule);
  result.bound.seconds = solution.seconds;
  if (result.lower) result.lower->seconds = solution.seconds;
  return result;
}

IlpResult refused(std::string method, Refusal refusal) {
  return {without_value(named(std::move(method)), refusal.status, std::move(refusal.remark)), {}, {}};
}

}  // namespace warpspan::solver
