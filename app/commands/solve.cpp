// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/solve.hpp"

#include <algorithm>
#include <memory>

#include "app/cli/command.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/memory.hpp"
#include "app/cli/option_groups.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/progress_line.hpp"
#include "app/cli/report_files.hpp"
#include "app/files/certificate_json.hpp"
#include "app/files/problem_file.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/solve/progress_text.hpp"
#include "app/reports/solve/solve_formats.hpp"
#include "app/requests/solve_problem.hpp"
#include "solver/strings/programs/count_ilp.hpp"
#include "solver/strings/programs/published_ilp.hpp"
#include "support/isolated.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

namespace {

using solver::Method;
using support::Diagnostic;
using support::Diagnostics;
using support::Result;

constexpr const char* footer =
    "Done is a search with a safe upper bound, or in which every method gave its answer. Ctrl-C ends the search and\n"
    "reports what is known by then, with status 130 if that is no safe upper bound or numbers of warps are left out;\n"
    "a second Ctrl-C ends the program at once.\n"
    "\nExamples:\n"
    "  warpspan solve --string LLCLL --warps 4 --schedule\n"
    "  warpspan solve --string LCLCL --sigma L=1/2,C=1 --warps 1..48 --output sweep.svg\n"
    "  warpspan solve --string 'C(L2C)^20L' --sigma C=2 --warps 48 --certificate proof.json\n"
    "  warpspan solve --string LLCLL --warps 3 --method ilp-count --time-limit 60 --lp count.lp\n"
    "  warpspan solve samples/llcll.toml --format json\n";

struct SolveOptions {
  std::string problem_file;  // empty: none
  ProblemSettings settings;  // of the command line; they take the place of the file's
  int64_t memory = 0;        // bytes for everything
  std::string format;
  std::string output;  // file; empty: standard output
  std::vector<ReportRequest> reports;
  std::string lp;           // file for the integer program; "-": standard output; empty: none
  std::string certificate;  // file for the certificate; "-": standard output; empty: none
  RunRecord run;            // command and arguments
};

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

void write_program(const SolveOptions& options, const SolveReport& report, Outcome& outcome) {
  if (options.lp.empty()) return;
  const auto program = program_of(report.problem);
  if (program) {
    outcome.further.push_back({options.lp, solver::to_lp_format(*program), "--lp"});
  } else {
    outcome.errors.insert(outcome.errors.end(), program.errors().begin(), program.errors().end());
  }
}

void write_certificate(const SolveOptions& options, const SolveReport& report, Outcome& outcome) {
  if (options.certificate.empty()) return;
  if (report.proof) {
    outcome.further.push_back({options.certificate, certificate_to_json(*report.proof), "--certificate"});
    return;
  }
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

Outcome solve(const SolveOptions& options) {
  limit_memory(options.memory);
  RunRecord run = options.run;
  auto problem = complete_problem(options.problem_file, options.settings, run);
  if (!problem) return {{}, problem.errors(), {}};
  Diagnostics errors = wrong_files(options, *problem);
  if (!errors.empty()) return {{}, std::move(errors), {}};

  const Interrupt interrupt;
  SolveReport report;
  Problem asked = *problem;
  if (asked.warps.size() == 1 && asks_for_format("html", options.format, options.reports)) asked.schedule = true;
  {
    ProgressLine line;
    const bool sweep = problem->warps.size() > 1;
    const auto show = [&](int64_t warps, const solver::Progress& progress) {
      line.show((sweep ? counted(warps, "warp") + ": " : "") + progress_text(progress));
    };
    const auto exhausted = support::run_isolated(
        [&] { report = solve_all(asked, options.memory / search_share, &interrupt.flag(), show); });
    if (exhausted) return {{}, {support::exhaustion(*exhausted, {}, "in the search")}, {}};
  }
  report.problem.schedule = problem->schedule;
  report.run = std::move(run);
  Outcome outcome;
  if (!report.solved.empty()) {
    outcome.path = options.output;
    outcome.further = further_reports(solve_formats, report, options.reports);
    outcome.report = render(solve_formats, report, options.format, style_of(options.output));
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

// No two texts go to one place.
void check_files(OptionSet& set, const SolveOptions& options) {
  const std::string report = options.output.empty() ? "-" : options.output;
  if (options.lp == report) {
    set.usage("--lp: the report goes to '" + report + "' too", "give --output another file");
  }
  if (options.certificate == report) {
    set.usage("--certificate: the report goes to '" + report + "' too", "give --output another file");
  }
  for (const ReportRequest& other : options.reports) {
    if (other.path == options.lp || other.path == options.certificate) {
      set.usage("--report: something else goes to '" + other.path + "' too", "give the report a file of its own");
    }
  }
  if (!options.lp.empty() && options.lp == options.certificate) {
    set.usage("--lp and --certificate name the same file");
  }
}

void check_problem(OptionSet& set, const SolveOptions& options) {
  if (!options.problem_file.empty()) return;
  if (!set.is_given("--string")) {
    set.usage("no problem is given", "give --string and --warps, or a problem file");
  } else if (!set.is_given("--warps")) {
    set.usage("--warps is missing", "give --warps 4, or a range 1..48");
  }
}

Run declare(OptionSet& set) {
  const auto options = std::make_shared<SolveOptions>();
  add_problem(set, options->problem_file, options->settings);
  add_memory(set, options->memory);
  set.text("--lp", "FILE", "Write the integer program in CPLEX LP format; - is standard output", options->lp);
  set.text("--certificate", "FILE", "Write the certificate, for 'warpspan verify'", options->certificate);
  add_format(set, forms_of(solve_formats), "report", options->format);
  add_output(set, forms_of(solve_formats), "report", options->format, options->output);
  add_reports(set, forms_of(solve_formats), options->output, options->reports);
  set.not_deciding("--output");
  options->run.command = "solve";
  set.record(options->run.arguments);
  set.check([&set, to = options.get()] {
    check_files(set, *to);
    check_problem(set, *to);
  });
  return [options] { return solve(*options); };
}

}  // namespace

Result<Problem> complete_problem(const std::string& problem_file, const ProblemSettings& settings, RunRecord& run) {
  ProblemSettings all = settings;
  if (!problem_file.empty()) {
    const auto source = support::read_source(problem_file);
    if (!source) return source.errors();
    run.add_input(source->name(), source->bytes());
    auto file = parse_problem(source->name(), source->text());
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

void add_problem(OptionSet& set, std::string& problem_file, ProblemSettings& settings) {
  set.positional("PROBLEM.toml", "A problem file; options given beside it take the place of what it says",
                 [&](const std::vector<std::string>& files) {
                   if (files.size() > 1) set.usage("give one problem file at a time");
                   if (!files.empty()) problem_file = files.front();
                 });
  set.value("--string", "S", "Instruction string, such as LLCLL or C(L2C)^64L", parse_string, settings.string);
  set.value("--warps", "N", "Number of warps: 4; or several: 1,2,8 or 1..48", parse_warps, settings.warps);
  set.value("--sigma", "L=1,C=1/2,S=1", "Warps that each class executes in a cycle, 1/n or a whole number; default: 1",
            parse_sigma, settings.sigma);
  set.value("--method", "M[,M...]", methods_help(), parse_methods, settings.methods);
  set.value("--time-limit", "SECONDS", "Most time for each number of warps; default: 10", parse_seconds,
            settings.time_limit);
  set.value("--horizon", "safe|published", "Cycles that the published integer program spans; default: safe",
            parse_horizon, settings.horizon);
  set.flag("--schedule", "Draw the longest schedule found", settings.schedule);
  set.value("--target", "N", "Estimate T(N) from the numbers of warps of a sweep; default: its largest", parse_count,
            settings.target);
}

Command solve_command() { return {"solve", "Bound the worst-case makespan of an instruction string", footer, declare}; }

}  // namespace warpspan::app
