// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan check: kernels against the budgets of a file.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>

#include "app/cli/command.hpp"
#include "app/cli/command_line.hpp"
#include "app/cli/fleet_options.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/memory.hpp"
#include "app/cli/option_groups.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/report_files.hpp"
#include "app/facts/fact_kind.hpp"
#include "app/files/baseline_file.hpp"
#include "app/files/budgets_file.hpp"
#include "app/files/dependencies.hpp"
#include "app/files/ptxas_log.hpp"
#include "app/files/update_budgets.hpp"
#include "app/reports/check/check_formats.hpp"
#include "app/reports/errors_document.hpp"
#include "app/reports/source_root.hpp"
#include "app/requests/check/check_budgets.hpp"
#include "app/requests/check/check_shards.hpp"
#include "support/shell_quote.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Diagnostics;

constexpr const char* footer =
    "Examples:\n"
    "  warpspan check --budgets samples/budgets.toml\n"
    "  warpspan check build/kernels --budgets budgets.toml --fail-on-unused --format json --output check.json\n"
    "  warpspan check --budgets budgets.toml --report junit=check.xml --report sarif=check.sarif\n"
    "  warpspan check saxpy.ptx --budgets budgets.toml --update --margin 10%\n"
    "  warpspan check saxpy.ptx --budgets budgets.toml --assume usual --update\n"
    "  warpspan check saxpy.ptx --budgets budgets.toml --ratchet 2%\n"
    "  warpspan check saxpy.ptx --budgets budgets.toml --baseline baseline.json --update\n"
    "  warpspan check saxpy.ptx --budgets budgets.toml --baseline baseline.json --fail-on-growth 1%\n"
    "  warpspan check build --budgets budgets.toml --update --each --resources\n"
    "  warpspan check saxpy.ptx --budgets budgets.toml --assemble 'ptxas -O3'\n"
    "  nvcc -ptx -arch=sm_80 saxpy.cu && nvcc -cubin -arch=sm_80 -Xptxas -v saxpy.cu 2> ptxas.log\n"
    "  warpspan check saxpy.ptx --budgets budgets.toml --ptxas-log ptxas.log\n";

struct CheckOptions {
  std::vector<std::string> files, logs;
  std::string budgets;
  std::vector<std::string> assembler;  // of entries without one
  timing::Grant assumed;               // the same
  bool assumes = false;                // --assume is given
  SimulationEffort effort = SimulationEffort::quick;
  bool explain = false;
  bool unused_fails = false, update = false, each = false, resources = false, update_baseline = false;
  std::optional<Percent> margin, ratchet, growth;
  std::string baseline, source_root;
  std::string format;
  int64_t memory = 0;  // bytes for everything
  FleetOptions fleet;
  std::optional<Shard> shard;
  std::string output, stamp, depfile;
  std::vector<ReportRequest> reports;
  std::vector<std::string> words;  // OptionSet::record
};

void append(Diagnostics& to, const Diagnostics& from) { to.insert(to.end(), from.begin(), from.end()); }

constexpr const char* stamp_text = "all budgets hold\n";

// What an earlier run has left must not stand for this one, however it ends. No other file is removed.
std::optional<Diagnostic> remove_stamp(const std::string& stamp) {
  if (stamp.empty() || ::access(stamp.c_str(), F_OK) != 0) return std::nullopt;
  const auto known = support::read_source(stamp);
  if (!known || (known->text() != stamp_text && !known->text().empty())) {
    return support::usage_error("'" + stamp + "' is no stamp of an earlier run", "give --stamp a file of its own");
  }
  if (::unlink(stamp.c_str()) == 0) return std::nullopt;
  return support::usage_error("cannot remove '" + stamp + "': " + std::strerror(errno),
                              "give --stamp a file in a folder that is writable");
}

// By the clock that files get their times from.
timespec now() {
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME_COARSE, &time);
  return time;
}

class Check {
 public:
  Check(const CheckOptions& options, const Interrupt& interrupt, const Fleet& fleet)
      : options_(options), interrupt_(interrupt), fleet_(fleet) {
    given_.command = "check";
    given_.arguments = options.words;
  }

  Outcome run() {
    CheckReport failed;
    failed.budgets = options_.budgets;
    const auto source = support::read_source(options_.budgets);
    if (!source) append_with_help(failed.errors, source.errors(), first_budgets());
    CompiledKernels compiled = read_ptxas_logs(options_.logs, given_, failed.errors);
    if (!source) return deliver(failed);
    if (!options_.update) given_.add_input(source->name(), source->bytes());
    auto budgets = parse_budgets(source->name(), source->text());
    if (!budgets) append(failed.errors, budgets.errors());
    CheckRequest request;
    request.source_root = source_root();
    read_old_baseline(request, failed.errors);
    if (!failed.errors.empty()) return deliver(failed);
    request.name = source->name();
    request.budgets = with_options(std::move(*budgets));
    request.files = options_.files;
    request.compiled = std::move(compiled);
    request.unused_fails = options_.unused_fails;
    request.ratchet = options_.ratchet;
    request.for_update = options_.update;
    request.writes_counts = options_.resources;
    request.wants_figures = !options_.baseline.empty();
    request.growth = options_.growth;
    const bool has_page = asks_for_format("html", options_.format, options_.reports);
    // A shard that is explained has the code too, for whichever form the report of all is given.
    request.with_code = has_page || (options_.shard && options_.explain);
    request.brief = !options_.explain && !has_page && options_.baseline.empty();
    request.effort = options_.effort;
    request.memory = options_.memory / search_share;
    request.cancel = &interrupt_.flag();
    request.fleet = fleet_;
    if (options_.shard) return shard(request);
    Checked checked = check_budgets(request);
    if (checked.interrupted) return interrupted();
    if (options_.update) return update(request, std::move(checked), source->text());
    read_ = std::move(checked.read);
    if (options_.update_baseline && passes(checked.report)) return with_new_baseline(request, std::move(checked));
    return deliver(std::move(checked.report));
  }

 private:
  std::string source_root() const {
    return options_.source_root.empty() ? default_source_root(options_.budgets) : options_.source_root;
  }

  bool writes_baseline() const { return !options_.baseline.empty() && (options_.update || options_.update_baseline); }

  // One that is written anew tells nothing; but no other file is written over.
  void read_old_baseline(CheckRequest& request, Diagnostics& errors) {
    if (options_.baseline.empty()) return;
    if (writes_baseline() && ::access(options_.baseline.c_str(), F_OK) != 0) return;
    const auto file = support::read_source(options_.baseline);
    if (!file) return append_with_help(errors, file.errors(), "write it with --update-baseline");
    auto baseline = read_baseline(*file);
    if (!baseline) return append(errors, baseline.errors());
    if (writes_baseline()) return;
    given_.add_input(file->name(), file->bytes());
    request.baseline = std::move(*baseline);
  }

  // help: if it is not empty, in the place of theirs.
  static void append_with_help(Diagnostics& errors, Diagnostics more, const std::string& help) {
    for (Diagnostic& one : more) {
      if (!help.empty()) one.help = help;
    }
    append(errors, more);
  }

  // Commands for who has no budgets file yet; empty where there is something of its name.
  std::string first_budgets() const {
    if (options_.budgets == "-" || std::filesystem::exists(std::filesystem::symlink_status(options_.budgets)))
      return {};
    std::string entry = "[[budget]]\\nkernel = \"*\"\\nblock = 256\\ngrid = 64\\n", files;
    for (const std::string& file : options_.files) files += support::shell_quoted(file) + " ";
    if (files.empty()) entry += "file = \"*.ptx\"\\n";
    const std::string budgets = support::shell_quoted(options_.budgets);
    return "make one, with your launches, and have today's bounds written into it: printf '" + entry + "' > " +
           budgets + " && warpspan check " + files + "--budgets " + budgets + " --update --each";
  }

  // The check passed. The report is as one by the new baseline would be.
  Outcome with_new_baseline(CheckRequest& request, Checked checked) {
    if (any_overwrites_input()) return deliver(std::move(checked.report));
    Baseline baseline = baseline_of(checked, request);
    const std::string text = baseline_text(baseline);
    baseline.name = options_.baseline;
    checked.report.baseline = options_.baseline;
    request.baseline = std::move(baseline);
    hold_against_baseline(request, checked);
    if (const auto error = write_whole(options_.baseline, text, "--baseline")) append(checked.report.errors, {*error});
    given_.add_input(options_.baseline, text);
    return deliver(std::move(checked.report));
  }

  // Entries leave these open. What is assembled for one entry need not be again for others.
  std::vector<Budget> with_options(std::vector<Budget> budgets) const {
    for (Budget& budget : budgets) {
      if (options_.assumes && !budget.states_assumed) budget.assumed = options_.assumed;
      if (budget.compilation.assembler.empty()) budget.compilation.assembler = options_.assembler;
      budget.compilation.assemblies = assemblies_;
      budget.compilation.inputs = inputs_;
    }
    return budgets;
  }

  Outcome shard(const CheckRequest& request) const {
    const auto shard = shard_of_check(request, {given_, options_.assembler.empty(), options_.explain}, *options_.shard);
    if (!shard) return interrupted();
    return {to_json(*shard), {}, options_.output};
  }

  // The new budgets are checked once more before they are written.
  Outcome update(CheckRequest request, Checked checked, std::string_view text) {
    read_ = checked.read;
    if (any_overwrites_input()) return deliver(checked.report);
    if (!exit_allows_update(checked.report)) return left_as_it_is(checked.report, {});
    std::string expanded(text);
    if (options_.each) {
      const auto entries = with_kernel_entries(text, checked);
      if (!entries) return left_as_it_is(checked.report, entries.errors());
      expanded = *entries;
      auto budgets = parse_budgets(request.name, expanded);
      if (!budgets) return left_as_it_is(checked.report, budgets.errors());
      request.budgets = with_options(std::move(*budgets));
      checked = check_budgets(request);
      if (checked.interrupted) return interrupted();
      if (!exit_allows_update(checked.report)) return left_as_it_is(checked.report, {});
    }
    const auto updated = updated_budgets(expanded, checked, options_.margin.value_or(Percent{}),
                                         options_.assumes ? text_of(options_.assumed) : "");
    if (!updated) return left_as_it_is(checked.report, updated.errors());
    auto budgets = parse_budgets(request.name, *updated);
    if (!budgets) return left_as_it_is(checked.report, budgets.errors());
    request.budgets = with_options(std::move(*budgets));
    request.for_update = request.writes_counts = false;
    Checked again = check_budgets(request);
    if (again.interrupted) return interrupted();
    if (!passes(again.report)) return left_as_it_is(again.report, {});
    if (*updated != text) {
      if (const auto error = write_whole(options_.budgets, *updated, "--budgets")) {
        return left_as_it_is(checked.report, {*error});
      }
    }
    given_.add_input(request.name, *updated);
    if (writes_baseline()) return with_new_baseline(request, std::move(again));
    return deliver(std::move(again.report));
  }

  static bool exit_allows_update(const CheckReport& report) { return exit_status(report.errors) == ExitStatus::done; }

  Outcome left_as_it_is(CheckReport report, const Diagnostics& why) {
    append(report.errors, why);
    report.errors.push_back(support::usage_error("the budgets file is left as it is: not every limit is known",
                                                 "mend the errors above, then update again"));
    return deliver(report);
  }

  static Outcome interrupted() {
    Diagnostic note;
    note.severity = support::Severity::note;
    note.message = "interrupted: nothing is reported";
    Outcome outcome;
    outcome.errors = {note};
    outcome.interrupted = true;
    return outcome;
  }

  // Such an outcome is refused; the budgets must not have changed by then.
  bool any_overwrites_input() const {
    return overwrites_input(options_.output) || overwrites_input(options_.depfile) ||
           overwrites_input(options_.stamp) ||
           std::any_of(options_.reports.begin(), options_.reports.end(),
                       [](const ReportRequest& report) { return overwrites_input(report.path); });
  }

  Outcome deliver(CheckReport report) {
    Outcome outcome;
    read_.insert(options_.budgets);
    read_.insert(options_.logs.begin(), options_.logs.end());
    if (!options_.baseline.empty()) read_.insert(options_.baseline);
    report.source_root = source_root();
    const bool passed = passes(report);
    // Where an update failed, a check of the same budgets would tell something else: there is nothing to repeat.
    RunRecord run = (options_.update || options_.update_baseline) && !passed ? RunRecord() : given_;
    if (!run.command.empty()) run.add(report.run);
    report.run = std::move(run);
    TextStyle style = style_of(options_.output);
    style.offers_assembler = options_.assembler.empty() && assembler_at_hand(options_.output);
    style.explain = options_.explain;
    outcome.report = render(check_formats, report, options_.format, style);
    outcome.path = options_.output;
    outcome.further = further_reports(check_formats, report, options_.reports, options_.explain);
    outcome.errors = report.errors;
    outcome.over_budget = !passed;
    if (passed) add_stamp(outcome);
    return outcome;
  }

  void add_stamp(Outcome& outcome) {
    if (!options_.depfile.empty()) {
      outcome.at_success.push_back({{options_.depfile, dependency_rule(options_.stamp, read_), "--depfile"}, {}});
    }
    if (!options_.stamp.empty()) outcome.at_success.push_back({{options_.stamp, stamp_text, "--stamp"}, begin_});
  }

  const CheckOptions& options_;
  const Interrupt& interrupt_;
  const Fleet& fleet_;
  const timespec begin_ = now();
  RunRecord given_;  // but what the check itself reads
  std::set<std::string> read_;
  const std::shared_ptr<Assemblies> assemblies_ = std::make_shared<Assemblies>();
  const std::shared_ptr<InputShelf> inputs_ = std::make_shared<InputShelf>();
};

Outcome check(const CheckOptions& options) {
  limit_memory(options.memory);
  const Interrupt interrupt;
  if (auto error = remove_stamp(options.stamp)) {
    Outcome outcome;
    outcome.errors = {*error};
    return outcome;
  }
  const FleetRun fleet(options.fleet, options.memory, interrupt);
  if (!fleet.errors().empty()) return {{}, fleet.errors(), {}};
  Outcome outcome = Check(options, interrupt, fleet.fleet()).run();
  fleet.add_notes(outcome);
  return outcome;
}

// What other commands take as options stands in the budgets file.
void refer_to_keys(OptionSet& set) {
  const auto refer = [&set](const std::string& option, std::string_view key, const std::string& example) {
    set.instead(option, "each entry of the budgets file has it, as the key '" + std::string(key) + "'" + example +
                            "; docs/gate.md has all keys");
  };
  for (const FactKind& kind : fact_kinds()) {
    if (!kind.key.empty()) refer(kind.option, kind.key, "");
  }
  refer("--block", "block", ": block = 256");
  refer("--grid", "grid", ": grid = [64, 64]");
  refer("--arg", "args", ": args = { 2 = 1024 }");
  refer("--kernel", "kernel", ": kernel = \"blur\"");
  refer("--machine", "machine", ": machine = \"A100\"");
  refer("--max", "max", ": max = \"25 ms\"");
  refer("--facts", "facts", ": facts = \"facts.toml\"");
}

void add_files(OptionSet& set, CheckOptions& options) {
  set.positional("FILE", "Files as 'analyze' takes them, patterns and folders, of entries without 'file'",
                 [&set, &options](const std::vector<std::string>& files) {
                   options.files = files;
                   if (std::find(files.begin(), files.end(), "-") != files.end()) {
                     set.usage("FILE: standard input can be read once only", "give the name of a file");
                   }
                 });
  refer_to_keys(set);
  set.text("--budgets", "FILE", "The budgets file, in TOML (docs/gate.md)", options.budgets);
  set.check([&set, &options] {
    if (options.budgets.empty() && !set.is_given("--budgets")) {
      set.usage("--budgets is not given",
                "give --budgets budgets.toml; if there is none yet, the error tells how to make it");
    }
  });
  add_logs(set, options.logs);
  add_assembler(set, options.assembler);
  add_assumptions(set, options.assumed);
  set.check([&set, &options] { options.assumes = set.is_given("--assume"); });
  add_effort(set, options.effort);
  set.flag("--explain",
           "Tell all that is known of bounds: in JSON lines, parts, ladder and assumptions in full, in JUnit the "
           "costliest lines of those that hold, too",
           options.explain);
}

void add_rules(OptionSet& set, CheckOptions& options) {
  const auto parse = [](const std::string& option, const std::string& text) {
    return parse_percent(option, text, 100);
  };
  const auto parse_any_percent = [](const std::string& option, const std::string& text) {
    return parse_percent(option, text);
  };
  set.flag("--fail-on-unused", "Fail for each kernel of the files that no entry is for", options.unused_fails);
  set.value("--ratchet", "PERCENT", "Fail too where a value is more than that below its limit, as in 2%", parse,
            options.ratchet);
  set.flag("--update", "Write today's values as limits into the budgets file; comments and order stay", options.update);
  set.not_deciding("--update");
  set.flag("--each", "With --update: an entry of its own for each kernel that a pattern of an entry names",
           options.each);
  set.not_deciding("--each");
  set.value("--margin", "PERCENT", "With --update: time beyond the bounds, as in 10%; default: 0%", parse,
            options.margin);
  set.not_deciding("--margin");
  set.flag("--resources",
           "With --update: limits on registers, spills, stack, shared and constant memory, too; no other ones for "
           "entries without any",
           options.resources);
  set.not_deciding("--resources");
  set.text("--baseline", "FILE", "What an earlier run found: tells what grew since, by line; --update writes it anew",
           options.baseline);
  set.flag("--update-baseline", "With --baseline: write it anew if the check passes; the budgets stay",
           options.update_baseline);
  set.not_deciding("--update-baseline");
  set.value("--fail-on-growth", "PERCENT",
            "With --baseline: fail too where a value is more than that above it, as in 1%", parse_any_percent,
            options.growth);
  set.text("--source-root", "DIR",
           "The folder of the project's sources: places in code from elsewhere are told at the "
           "line that uses it; default: the top of the git checkout that has the budgets file, or its folder",
           options.source_root);
  set.check([&set, &options] {
    if (options.each && !options.update) set.usage("--each goes with --update", "add --update, or leave it out");
    if (options.margin && !options.update) set.usage("--margin goes with --update", "add --update, or leave it out");
    if (options.resources && !options.update)
      set.usage("--resources goes with --update", "add --update, or leave it out: limits in the file always count");
    if (options.baseline.empty() && (options.update_baseline || options.growth)) {
      set.usage(std::string(options.growth ? "--fail-on-growth" : "--update-baseline") + " goes with --baseline",
                "add --baseline FILE");
    }
    if (options.growth && (options.update || options.update_baseline))
      set.usage("--fail-on-growth excludes updates", "check first, then update");
    if (!options.source_root.empty() && !std::filesystem::is_directory(options.source_root))
      set.usage("--source-root: '" + options.source_root + "' is no folder", "give a folder that is there");
    if (options.ratchet && options.update) {
      set.usage("--ratchet and --update exclude each other", "update first, then check with --ratchet");
    }
    if (options.update && options.budgets == "-") {
      set.usage("--update: standard input cannot be written", "give --budgets a file");
    }
  });
}

void add_ends(OptionSet& set, CheckOptions& options) {
  add_format(set, forms_of(check_formats), "report", options.format);
  add_fleet(set, options.fleet);
  add_shard(set, options.format, {"--update", "--update-baseline", "--stamp", "--depfile", "--report"}, options.shard);
  add_memory(set, options.memory);
  add_output(set, forms_of(check_formats), "report", options.format, options.output);
  add_reports(set, forms_of(check_formats), options.output, options.reports);
  set.text("--stamp", "FILE", "Write this file if the check passes, remove it if not: for build systems",
           options.stamp);
  set.text("--depfile", "FILE", "With --stamp: the files that were read, as a rule for make and ninja",
           options.depfile);
  for (const char* option : {"--output", "--stamp", "--depfile"}) set.not_deciding(option);
  set.check([&set, &options] {
    if (!options.depfile.empty() && options.stamp.empty()) {
      set.usage("--depfile goes with --stamp", "add --stamp FILE");
    }
    std::set<std::string> taken = {place_of(options.output)};
    for (const ReportRequest& report : options.reports) taken.insert(place_of(report.path));
    for (const auto& [option, path] :
         {std::pair("--depfile", options.depfile), {"--stamp", options.stamp}, {"--baseline", options.baseline}}) {
      if (!path.empty() && !taken.insert(place_of(path)).second) {
        set.usage(std::string(option) + ": something else goes to '" + path + "' too", "give it a file of its own");
      }
    }
  });
}

// A stamp of an earlier run must not stand for one whose options could not be read either.
void abandon(const std::vector<std::string>& words) { remove_stamp(value_in(words, "--stamp").value_or("")); }

Run declare(OptionSet& set) {
  const auto options = std::make_shared<CheckOptions>();
  add_files(set, *options);
  add_rules(set, *options);
  add_ends(set, *options);
  set.record(options->words);
  return [options] { return check(*options); };
}

}  // namespace

Command check_command() {
  return {"check", "Fail where a kernel exceeds its budget", footer, declare, report_of_errors<CheckReport>, abandon};
}

}  // namespace warpspan::app
