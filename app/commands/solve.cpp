#include "app/commands/solve.hpp"

#include <algorithm>

#include "app/cli/interrupt.hpp"
#include "app/cli/memory.hpp"
#include "app/cli/progress_line.hpp"
#include "app/files/certificate_json.hpp"
#include "app/files/problem_file.hpp"
#include "app/reports/format.hpp"
#include "app/reports/solve_json.hpp"
#include "app/reports/solve_text.hpp"
#include "app/reports/sweep_csv.hpp"
#include "app/reports/sweep_svg.hpp"
#include "solver/programs/count_ilp.hpp"
#include "solver/programs/published_ilp.hpp"
#include "support/isolated.hpp"
#include "timing/solver_string.hpp"

namespace warpspan::app {

namespace {

using solver::Method;
using support::Diagnostic;
using support::Diagnostics;
using support::Result;

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

void append(Diagnostics& to, const Diagnostics& from) { to.insert(to.end(), from.begin(), from.end()); }

bool asks_for(const Problem& problem, Method method) {
  return std::find(problem.methods.begin(), problem.methods.end(), method) != problem.methods.end();
}

// What the command line says, where it says something, else what the file says.
ProblemSettings over(const ProblemSettings& top, ProblemSettings file) {
  if (top.string) file.string = top.string;
  if (top.warps) file.warps = top.warps;
  for (size_t k = 0; k < top.sigma.size(); ++k) {
    if (top.sigma[k]) file.sigma[k] = top.sigma[k];
  }
  if (top.methods) file.methods = top.methods;
  if (top.time_limit) file.time_limit = top.time_limit;
  if (top.horizon) file.horizon = top.horizon;
  if (top.schedule) file.schedule = top.schedule;
  if (top.target) file.target = top.target;
  return file;
}

Diagnostics missing(const ProblemSettings& settings, const std::string& file) {
  Diagnostics errors;
  const auto report = [&](const std::string& key, const std::string& option) {
    errors.push_back(support::usage_error("'" + file + "' gives no '" + key + "'", "add it, or give " + option));
  };
  if (!settings.string) report("string", "--string");
  if (!settings.warps) report("warps", "--warps");
  return errors;
}

// --- What was found.

// What the solver needed besides the methods asked for may have bounded the makespan too; but who asks for a method
// that fails, and for nothing else, is told.
bool is_bounded(const solver::Solution& solution) {
  const auto& results = solution.results;
  const auto is_safe = [](const solver::Bound& bound) { return bound.safe && bound.kind != solver::Kind::lower; };
  const auto is_answer = [](const solver::Bound& bound) { return bound.status == solver::Status::optimal; };
  return std::any_of(results.begin(), results.end(), is_safe) || std::all_of(results.begin(), results.end(), is_answer);
}

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

std::optional<Diagnostic> not_bounded(const SolveReport& report) {
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
  std::erase_if(options.methods, [](Method method) { return !method.row().for_target; });
  options.progress = [&](const solver::Progress& progress) { show(target, progress); };
  auto solution = solver::solve(string_problem(report.problem, target), options);
  if (!solution) return append(report.errors, solution.errors());
  solution->certificate.reset();
  report.target->solution = std::move(*solution);
}

Diagnostic interruption(const SolveReport& report) {
  Diagnostic note;
  note.severity = support::Severity::note;
  const size_t left_out = report.problem.warps.size() - report.solved.size();
  note.message = left_out == 0 ? "interrupted: the report tells what was known by then"
                               : "interrupted: the report leaves out " +
                                     counted(static_cast<int64_t>(left_out), "number") + " of warps";
  return note;
}

// --- Files beside the report.

Result<solver::LinearProgram> program_of(const Problem& problem) {
  const solver::StringProblem one = string_problem(problem, problem.warps.front());
  if (problem.methods == std::vector{Method::ilp_count}) return solver::build_count_ilp(one);
  solver::PublishedIlpOptions options;
  options.horizon = problem.horizon;
  if (asks_for(problem, Method::ilp_long) && !asks_for(problem, Method::ilp)) {
    options.work_conservation = solver::WorkConservation::long_rows;
  }
  return solver::build_published_ilp(one, options);
}

void write(const std::string& path, const std::string& text, const char* option, Outcome& outcome) {
  auto error = path == "-" ? write_standard_output(text) : write_whole(path, text, option);
  if (error) outcome.errors.push_back(std::move(*error));
}

void write_program(const SolveOptions& options, const SolveReport& report, Outcome& outcome) {
  if (options.lp.empty()) return;
  const auto program = program_of(report.problem);
  if (!program) return append(outcome.errors, program.errors());
  write(options.lp, solver::to_lp_format(*program), "--lp", outcome);
}

void write_certificate(const SolveOptions& options, const SolveReport& report, Outcome& outcome) {
  if (options.certificate.empty()) return;
  if (report.proof) return write(options.certificate, certificate_to_json(*report.proof), "--certificate", outcome);
  Diagnostic error;
  error.message = "no certificate was found, so '" + options.certificate + "' is not written";
  error.help = report.interrupted ? "" : "there is none for a single warp; for more, raise --time-limit";
  outcome.errors.push_back(std::move(error));
}

Diagnostics wrong_files(const SolveOptions& options, const Problem& problem) {
  Diagnostics errors;
  if (!options.lp.empty() && problem.warps.size() > 1) {
    errors.push_back(support::usage_error("--lp needs one number of warps, not several"));
  }
  if (!options.certificate.empty() && !asks_for(problem, Method::certificate)) {
    errors.push_back(support::usage_error("--certificate needs the method certificate", "add --method certificate"));
  }
  return errors;
}

std::string report_text(const SolveOptions& options, const SolveReport& report, bool colour) {
  if (ends_with(options.output, ".csv")) return to_csv(report);
  if (ends_with(options.output, ".svg")) return to_svg(report);
  return options.format == Format::json ? to_json(report) : to_text(report, colour);
}

}  // namespace

Result<Problem> complete_problem(const std::string& problem_file, const ProblemSettings& settings) {
  ProblemSettings all = settings;
  if (!problem_file.empty()) {
    auto file = read_problem(problem_file);
    if (!file) return file.errors();
    all = over(settings, std::move(*file));
    const Diagnostics errors = missing(all, problem_file);
    if (!errors.empty()) return errors;
  }
  Problem problem;
  problem.string = *all.string;
  problem.warps = *all.warps;
  for (size_t k = 0; k < all.sigma.size(); ++k) problem.sigma[k] = all.sigma[k].value_or(support::Rational{1, 1});
  problem.methods = all.methods.value_or(default_methods());
  problem.time_limit = all.time_limit.value_or(problem.time_limit);
  problem.horizon = all.horizon.value_or(problem.horizon);
  problem.schedule = all.schedule.value_or(false);
  problem.target = all.target;
  auto transformed = ir::transform(problem.string, problem.sigma);
  if (!transformed) return transformed.errors();
  problem.transformed = std::move(*transformed);
  if (problem.schedule && problem.warps.size() > 1) {
    return support::usage_error("a schedule needs one number of warps, not several");
  }
  if (problem.target && problem.warps.size() == 1) {
    return support::usage_error("a target needs several numbers of warps", "give --warps 1..12 and the like");
  }
  return problem;
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
  if (auto error = not_bounded(report)) report.errors.push_back(std::move(*error));
  return report;
}

Outcome solve(const SolveOptions& options, bool colour) {
  auto problem = complete_problem(options.problem_file, options.settings);
  if (!problem) return {{}, problem.errors(), {}};
  Diagnostics errors = wrong_files(options, *problem);
  if (!errors.empty()) return {{}, std::move(errors), {}};

  const Interrupt interrupt;
  SolveReport report;
  {
    ProgressLine line;
    const bool sweep = problem->warps.size() > 1;
    const auto show = [&](int64_t warps, const solver::Progress& progress) {
      line.show(sweep ? counted(warps, "warp") + ": " : "", progress);
    };
    const auto exhausted = support::run_isolated(
        [&] { report = solve_all(*problem, options.memory / search_share, &interrupt.flag(), show); });
    if (exhausted) return {{}, {support::exhaustion(*exhausted, {}, "in the search")}, {}};
  }
  Outcome outcome;
  if (!report.solved.empty()) {
    outcome.path = options.output;
    outcome.report = report_text(options, report, colour);
  }
  outcome.errors = report.errors;
  if (report.interrupted) {
    outcome.errors.push_back(interruption(report));
    const bool complete = report.solved.size() == report.problem.warps.size();
    outcome.interrupted = !complete || !is_bounded(report.solved.back().solution);
  }
  write_program(options, report, outcome);
  write_certificate(options, report, outcome);
  return outcome;
}

}  // namespace warpspan::app
