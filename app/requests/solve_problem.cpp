// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/solve_problem.hpp"

#include <algorithm>

#include "app/reports/readable.hpp"
#include "timing/strings/solver_string.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Diagnostics;

void append(Diagnostics& to, const Diagnostics& from) { to.insert(to.end(), from.begin(), from.end()); }

// Why there is no bound: the methods that might have given one, and what became of them.
std::string reasons(const solver::Solution& solution) {
  std::string text;
  for (const solver::Bound& bound : solution.results) {
    if (bound.makespan && bound.status == solver::Status::optimal) continue;
    text += (text.empty() ? "" : "; ") + bound.method + ": " +
            (bound.remark.empty() ? std::string(to_string(bound.status)) : bound.remark);
  }
  return text;
}

std::optional<Diagnostic> unbounded_error(const SolveReport& report) {
  size_t count = 0;
  const SolvedProblem* first = nullptr;
  for (const SolvedProblem& solved : report.solved) {
    if (is_bounded(solved.solution)) continue;
    ++count;
    if (first == nullptr) first = &solved;
  }
  if (first == nullptr) return std::nullopt;
  Diagnostic error;
  error.message = "no method asked for bounds the makespan of " + counted(first->warps, "warp");
  if (count > 1) error.message += ", nor of " + thousands(static_cast<int64_t>(count) - 1) + " other numbers of warps";
  error.message += ": " + reasons(first->solution);
  const auto& results = first->solution.results;
  const bool out_of_time = std::any_of(results.begin(), results.end(), [](const solver::Bound& bound) {
    return bound.status == solver::Status::time_limit;
  });
  error.help =
      out_of_time ? "raise --time-limit, or add --method certificate or list" : "add --method certificate or list";
  return error;
}

solver::SolveOptions solver_options(const Problem& problem, int64_t memory, const std::atomic<bool>* cancel) {
  solver::SolveOptions options;
  options.memory = memory;
  options.methods = problem.methods;
  options.seconds = problem.time_limit;
  options.horizon = problem.horizon;
  options.schedule = problem.schedule;
  options.roles = {static_cast<int>(ir::UnitClass::load_store), static_cast<int>(ir::UnitClass::core)};
  options.cancel = cancel;
  return options;
}

// The certificates of a long sweep would fill the memory: the report keeps one.
void keep_proof(SolveReport& report, solver::Solution& solution) {
  if (solution.certificate) report.proof = std::move(solution.certificate);
  solution.certificate.reset();
}

void solve_target(SolveReport& report, int64_t memory, const std::atomic<bool>* cancel, const ShowProgress& show) {
  if (!report.target) return;
  const int64_t target = report.target->warps;
  solver::SolveOptions options = solver_options(report.problem, memory, cancel);
  std::erase_if(options.methods, [](solver::Method method) { return !method.row().for_target; });
  options.progress = [&](const solver::Progress& progress) { show(target, progress); };
  auto solution = solver::solve(string_problem(report.problem, target), options);
  if (!solution) return append(report.errors, solution.errors());
  solution->certificate.reset();
  report.target->solution = std::move(*solution);
}

}  // namespace

// What the solver needed besides the methods asked for may have bounded the makespan too; but who asks for a method
// that fails, and for nothing else, is told.
bool is_bounded(const solver::Solution& solution) {
  const auto& results = solution.results;
  const auto is_safe = [](const solver::Bound& bound) { return bound.safe && bound.kind != solver::Kind::lower; };
  const auto is_answer = [](const solver::Bound& bound) { return bound.status == solver::Status::optimal; };
  return std::any_of(results.begin(), results.end(), is_safe) || std::all_of(results.begin(), results.end(), is_answer);
}

solver::StringProblem string_problem(const Problem& problem, int64_t warps) {
  const auto& servers = problem.transformed.servers;
  return {timing::to_solver_string(problem.transformed.string), warps, {servers.begin(), servers.end()}};
}

SolveReport solve_all(Problem problem, int64_t memory, const std::atomic<bool>* cancel, const ShowProgress& show) {
  SolveReport report;
  report.problem = std::move(problem);
  const auto& all = report.problem.warps;
  const auto target = report.problem.target;
  if (target && std::find(all.begin(), all.end(), *target) == all.end()) report.target = SolvedProblem{*target, {}};
  solver::SolveOptions options = solver_options(report.problem, memory, cancel);
  for (const int64_t warps : all) {
    options.progress = [&, warps](const solver::Progress& progress) { show(warps, progress); };
    auto solution = solver::solve(string_problem(report.problem, warps), options);
    if (!solution) {
      append(report.errors, solution.errors());
      return report;
    }
    keep_proof(report, *solution);
    report.solved.push_back({warps, std::move(*solution)});
    report.interrupted = cancel != nullptr && cancel->load();
    if (report.interrupted) return report;
  }
  solve_target(report, memory, cancel, show);
  report.interrupted = cancel != nullptr && cancel->load();
  if (report.interrupted) return report;
  if (auto error = unbounded_error(report)) report.errors.push_back(std::move(*error));
  return report;
}

}  // namespace warpspan::app
