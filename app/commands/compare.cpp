// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan compare: what changed in the bounds of kernels, between two versions of the code or several sets of flags.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/cli/command.hpp"
#include "app/cli/fleet_options.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/memory.hpp"
#include "app/cli/option_groups.hpp"
#include "app/cli/report_files.hpp"
#include "app/files/saved_report.hpp"
#include "app/reports/compare/compare_formats.hpp"
#include "app/reports/diagnostics.hpp"
#include "app/reports/errors_document.hpp"
#include "app/requests/bound_kernels.hpp"
#include "app/requests/compare/compare_kernels.hpp"
#include "app/requests/kernels/input_files.hpp"
#include "support/isolated.hpp"
#include "support/shell_words.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

constexpr const char* footer =
    "A side is a PTX file, a .ll or .bc file of LLVM IR, a folder, a pattern in quotes, or a report that\n"
    "'warpspan analyze --format json' wrote. With --flags given twice or more the files are compiled with each set,\n"
    "and every further set is compared with the first.\n"
    "\nExamples:\n"
    "  warpspan compare samples/matmul_tiled.nvcc-sm_80-O1.ptx samples/matmul_tiled.nvcc-sm_80.ptx --block 16,16 --arg "
    "3=256\n"
    "  warpspan compare main.json build/kernels --block 256 --fail-on-regression 5%\n"
    "  warpspan compare --compiler 'nvcc -ptx -lineinfo' --flags '-O3' --flags '-O3 -use_fast_math' k.cu --block 256\n"
    "  warpspan compare --flags '-O1 -mcpu=sm_80' --flags '-O3 -mcpu=sm_80' k.ll --block 256 --format markdown\n";

struct CompareOptions {
  std::vector<std::string> words;                                       // files and sides, as given
  BoundRequest request;                                                 // without files
  std::vector<std::pair<std::string, std::vector<std::string>>> flags;  // as given, and its words
  std::optional<Percent> allowed;
  std::vector<std::string> record;
  std::string format, output;
  std::vector<ReportRequest> reports;
  int64_t memory = 0;  // bytes for everything
  FleetOptions fleet;
};

// What a side is to be made of.
struct SideRequest {
  std::string name;
  std::vector<std::string> words;  // files, folders, patterns
  std::vector<std::string> flags;
};

bool is_report(const std::string& word) { return std::filesystem::path(word).extension() == ".json"; }

std::vector<SideRequest> sides_of(const CompareOptions& options) {
  std::vector<SideRequest> sides;
  if (options.flags.size() > 1) {
    for (const auto& [text, flags] : options.flags) {
      sides.push_back({flags.empty() ? "no flags" : text, options.words, flags});
    }
  } else {
    const auto flags = options.flags.empty() ? std::vector<std::string>() : options.flags.front().second;
    for (const std::string& word : options.words) sides.push_back({word, {word}, flags});
  }
  return sides;
}

// A side, and what could not be read or bounded of it.
struct Side {
  CompareSide side;
  support::Diagnostics errors;
  RunRecord run;
};

Side saved_side(const SideRequest& side, const BoundRequest& request) {
  Side result{{side.name, {}, {}}, {}, {}};
  const auto file = read_isolated(side.words.front());
  if (!file) return {result.side, file.errors(), {}};
  result.run.add_input(file->name(), file->bytes());
  const auto saved = support::isolated({}, "while the report was read", [&] { return read_saved_report(*file); });
  if (!saved) return {result.side, saved.errors(), result.run};
  result.errors = saved->errors;
  result.side.machines = saved->machines;
  result.side.options.reset();
  if (saved->words) result.side.options = deciding_options(*saved->words);
  for (const std::string& pattern : request.kernels.kernels) {
    const auto is_named = [&pattern](const KernelFigures& kernel) {
      return support::names_symbol(pattern, kernel.name);
    };
    if (std::none_of(saved->kernels.begin(), saved->kernels.end(), is_named)) {
      result.errors.push_back(support::usage_error("the report has no kernel '" + pattern + "'"));
      result.errors.back().location.file = file->name();
    }
  }
  for (const KernelFigures& kernel : saved->kernels) {
    if (support::is_chosen(request.kernels.kernels, kernel.name)) result.side.kernels.push_back(kernel);
  }
  return result;
}

Side bounded_side(const SideRequest& side, const BoundRequest& request, const std::vector<std::string>& words) {
  Side result{{side.name, {}, deciding_options(words)}, {}, {}};
  const auto files = input_files(side.words);
  if (!files) return {result.side, files.errors(), {}};
  BoundRequest own = request;
  own.kernels.files = *files;
  own.kernels.compilation.flags = side.flags;
  const AnalyzeReport report = bound_kernels(own);
  for (const KernelReport& kernel : report.kernels) result.side.kernels.push_back(figures_of(kernel));
  result.errors = report.errors;
  result.run = report.run;
  result.side.machines = report.run.machines;
  return result;
}

void add_once(support::Diagnostics& all, const support::Diagnostics& more) {
  for (const support::Diagnostic& error : more) {
    if (!has_same(all, error)) all.push_back(error);
  }
}

CompareReport report_on(const CompareOptions& options, const BoundRequest& request) {
  std::vector<CompareSide> sides;
  support::Diagnostics errors;
  RunRecord run;
  for (const SideRequest& side : sides_of(options)) {
    Side made = is_report(side.words.front()) ? saved_side(side, request) : bounded_side(side, request, options.record);
    sides.push_back(std::move(made.side));
    add_once(errors, made.errors);
    run.add(made.run);
  }
  CompareReport report = compare_kernels(sides, options.allowed);
  if (report.kernels.empty() && errors.empty()) {
    errors.push_back(support::usage_error("neither side has a kernel", "give files, or reports, that have some"));
  }
  errors.insert(errors.end(), report.errors.begin(), report.errors.end());
  report.errors = std::move(errors);
  run.command = "compare";
  run.arguments = options.record;
  report.run = std::move(run);
  return report;
}

Outcome compare(const CompareOptions& options) {
  limit_memory(options.memory);
  const Interrupt interrupt;
  BoundRequest request = options.request;
  const FleetRun fleet(options.fleet, options.memory, interrupt);
  if (!fleet.errors().empty()) return {{}, fleet.errors(), {}};
  request.fleet = fleet.fleet();
  request.string_model = false;
  request.limits.cancel = &interrupt.flag();
  CompareReport report = report_on(options, request);
  Outcome outcome;
  outcome.report = render(compare_formats, report, options.format, style_of(options.output));
  outcome.further = further_reports(compare_formats, report, options.reports);
  outcome.errors = std::move(report.errors);
  outcome.path = options.output;
  outcome.over_budget = report.regression;
  fleet.add_notes(outcome);
  return outcome;
}

// --- Options.

// Those that a saved report has already answered.
constexpr const char* of_the_bounds[] = {"--block",   "--grid",       "--arg",    "--global",    "--trust-initialisers",
                                         "--buffer",  "--loop-bound", "--wait",   "--call-cost", "--recursion",
                                         "--machine", "--registers",  "--shared", "--assume",    "--assemble",
                                         "--simulate"};

void check_sides(OptionSet& set, const CompareOptions& options) {
  const bool sets = options.flags.size() > 1;
  const size_t reports = static_cast<size_t>(std::count_if(options.words.begin(), options.words.end(), is_report));
  if (sets && options.words.empty()) set.usage("no file is given", "give the files to compile");
  if (!sets && options.words.size() != 2) {
    set.usage(options.words.empty() ? "nothing is given to compare" : "expected two sides, BASE and NEW",
              "give two files, folders, patterns or reports, or one source and --flags twice");
  }
  if (std::count(options.words.begin(), options.words.end(), "-") > 1) {
    set.usage("standard input cannot be both sides", "give one of them as a file");
  }
  const bool compiles = !options.request.kernels.compilation.compiler.empty() || !options.flags.empty();
  if (compiles && reports > 0) set.usage("a saved report cannot be compiled", "leave --compiler and --flags out");
  if (reports < 2) return;
  for (const char* option : of_the_bounds) {
    if (set.is_given(option)) {
      set.usage(std::string(option) + ": the bounds of saved reports are made", "give files, or leave it out");
    }
  }
}

Run declare(OptionSet& set) {
  const auto options = std::make_shared<CompareOptions>();
  CompareOptions* to = options.get();
  set.positional("BASE NEW", "Two sides; with two or more --flags instead the files to compile",
                 [to](const std::vector<std::string>& words) { to->words = words; });
  const auto words_of = [](const std::string&, const std::string& text) { return support::shell_words(text); };
  set.value("--compiler", "COMMAND",
            "Compile each file with it: 'nvcc -ptx', 'nvcc -cubin', 'clang --cuda-device-only -S'", words_of,
            to->request.kernels.compilation.compiler);
  set.each(
      "--flags", "WORDS", "Flags of the compiler; of .ll and .bc: -O0 to -O3, -mcpu=sm_80, -mattr=+ptx75; repeatable",
      words_of,
      [to](const std::vector<std::string>& words, const std::string& text) { to->flags.emplace_back(text, words); });
  add_reading(set, to->request.kernels);
  add_launch(set, to->request.kernels);
  add_machine(set, to->request);
  to->request.expects = true;
  add_effort(set, to->request.effort);
  const auto parse = [](const std::string& option, const std::string& text) { return parse_percent(option, text); };
  set.value("--fail-on-regression", "PERCENT", "Exit with 1 if a bound rises by more than that, as in 5%", parse,
            to->allowed);
  set.check([&set, to] { check_sides(set, *to); });
  add_format(set, forms_of(compare_formats), "report", to->format);
  add_fleet(set, to->fleet);
  add_memory(set, to->memory);
  add_output(set, forms_of(compare_formats), "report", to->format, to->output);
  set.not_deciding("--output");
  add_reports(set, forms_of(compare_formats), to->output, to->reports);
  set.record(to->record);
  return [options] { return compare(*options); };
}

}  // namespace

Command compare_command() {
  return {"compare", "Show what changed the bounds of kernels", footer, declare, report_of_errors<CompareReport>};
}

}  // namespace warpspan::app
