// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan rerun: the run that a JSON report records, once more. Nothing is printed unless it says what the report
// says.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/cli/command.hpp"
#include "app/files/recorded_run.hpp"
#include "support/sha256.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Diagnostics;
using support::Result;
using support::usage_error;

constexpr const char* footer =
    "A run is repeated with the version that made the report, from the folder that it was made in, as long as inputs\n"
    "and machines are the same; what is not is an error that names it. The report comes out byte by byte, and the "
    "exit\n"
    "status is that of the run. Seconds are those of the report.\n"
    "\nExamples:\n"
    "  warpspan analyze samples/saxpy.ptx --block 256 --grid 4 --arg 3=100000 --format json --output saxpy.json\n"
    "  warpspan rerun saxpy.json\n"
    "  warpspan rerun saxpy.json --directory /tmp/checkout --output again.json\n";

struct RerunOptions {
  std::string file;       // "-" is standard input
  std::string directory;  // empty: the current one
  std::string output;     // file; empty: standard output
};

// Those that record their runs. Without the options that no run records they write nothing but what they hand over.
constexpr std::string_view repeatable[] = {"analyze", "check", "compare", "rta"};
constexpr std::string_view never_recorded[] = {
    "--update", "--margin", "--each", "--resources", "--update-baseline", "--stamp", "--depfile",
    "--output", "--report", "--jobs", "--cache",     "--cache-size",      "--shard"};

constexpr const char* make_anew = "make the report anew";

Diagnostic changed(const std::string& what, const std::string& before, const std::string& now) {
  return usage_error(what + " has changed since the report was made: its SHA-256 is " + now + ", was " + before,
                     make_anew);
}

// Files that are not as they were, before time is spent on them.
Diagnostics changed_inputs(const RunRecord& run) {
  Diagnostics errors;
  for (const Hashed& input : run.inputs) {
    if (input.name == "<stdin>") {
      errors.push_back(usage_error("the report is of standard input, which cannot be read again",
                                   "keep the input in a file, and make the report of that"));
      continue;
    }
    const auto file = support::read_source(input.name);
    if (!file) {
      errors.push_back(file.errors().front());
      errors.back().help = "run it in the folder in which the report was made, or give --directory";
    } else if (const std::string now = support::sha256(file->bytes()); now != input.sha256) {
      errors.push_back(changed("'" + input.name + "'", input.sha256, now));
    }
  }
  return errors;
}

// What the same words read now, and did not then, or otherwise.
void compare(const std::vector<Hashed>& before, const std::vector<Hashed>& now, const std::string& what,
             Diagnostics& errors) {
  const auto named = [](const std::vector<Hashed>& all, const std::string& name) {
    return std::find_if(all.begin(), all.end(), [&name](const Hashed& one) { return one.name == name; });
  };
  for (const Hashed& one : now) {
    const auto known = named(before, one.name);
    if (known == before.end()) {
      errors.push_back(usage_error(what + "'" + one.name + "' was not there when the report was made", make_anew));
    } else if (known->sha256 != one.sha256) {
      errors.push_back(changed(what + "'" + one.name + "'", known->sha256, one.sha256));
    }
  }
  for (const Hashed& one : before) {
    if (named(now, one.name) == now.end()) {
      errors.push_back(usage_error(what + "'" + one.name + "' is no longer used", make_anew));
    }
  }
}

void compare(const std::vector<AssemblerRun>& before, const std::vector<AssemblerRun>& now, Diagnostics& errors) {
  for (const AssemblerRun& one : now) {
    const auto same = [&one](const AssemblerRun& other) { return other.command == one.command; };
    const auto known = std::find_if(before.begin(), before.end(), same);
    if (known == before.end()) {
      errors.push_back(
          usage_error("the assembler '" + one.command + "' did not run when the report was made", make_anew));
    } else if (known->version != one.version) {
      errors.push_back(usage_error("the assembler '" + one.command +
                                       "' has another version than when the report was "
                                       "made: it says '" +
                                       one.version + "', and said '" + known->version + "'",
                                   "use that version, or make the report anew"));
    }
  }
}

// Who repeats a report of others must not have files changed by it.
std::optional<Diagnostic> not_repeatable(const RunRecord& run) {
  if (std::find(std::begin(repeatable), std::end(repeatable), run.command) == std::end(repeatable)) {
    return usage_error("the report is of no command that can be repeated");
  }
  for (const std::string& word : run.arguments) {
    const std::string option = word.substr(0, word.find('='));
    if (std::find(std::begin(never_recorded), std::end(never_recorded), option) != std::end(never_recorded)) {
      return usage_error("the report's \"arguments\" are not as warpspan writes them: they have " + option, make_anew);
    }
  }
  return std::nullopt;
}

Result<Run> parse_recorded(const Parse& parse, const RunRecord& run) {
  std::vector<std::string> words = {run.command, "--format=json"};
  words.insert(words.end(), run.arguments.begin(), run.arguments.end());
  return parse(words);
}

// The report of the run as it is now, where it says what the recorded one says.
Result<std::string> confirmed(const std::string& report, const RecordedRun& recorded, const std::string& made) {
  const auto again = read_recorded_run(support::SourceFile("the new report", made));
  if (!again) return again.errors();
  Diagnostics errors;
  if (again->run.command != recorded.run.command || again->run.arguments != recorded.run.arguments) {
    return usage_error("the report's \"arguments\" are not as warpspan writes them", make_anew);
  }
  compare(recorded.run.inputs, again->run.inputs, "", errors);
  compare(recorded.run.machines, again->run.machines, "machine ", errors);
  compare(recorded.run.assemblers, again->run.assemblers, errors);
  if (!errors.empty()) return errors;
  const std::string difference = first_difference(report, made, true);
  if (difference.empty()) return with_seconds_of(report, made);
  return usage_error(
      "the report says something else than the run of '" + command_line(recorded.run) + "': at " + difference,
      "what a search finds depends on its time limit; leave the string model out, or make the report anew");
}

Outcome repeat(const Parse& parse, const support::SourceFile& report, const RecordedRun& recorded) {
  if (recorded.version != program_version()) {
    return {{},
            {usage_error("the report is of warpspan " + recorded.version + ", and this is " + program_version(),
                         "use that version, or make the report anew")},
            {}};
  }
  if (const auto error = not_repeatable(recorded.run)) return {{}, {*error}, {}};
  Diagnostics errors = changed_inputs(recorded.run);
  if (!errors.empty()) return {{}, std::move(errors), {}};
  ::unsetenv("WARPSPAN_CACHE");  // made again, not looked up
  const auto run = parse_recorded(parse, recorded.run);
  if (!run) return {{}, run.errors(), {}};
  Outcome outcome = (*run)();
  auto text = confirmed(std::string(report.text()), recorded, outcome.report.str());
  if (!text) return {{}, text.errors(), {}};
  return {std::move(*text), std::move(outcome.errors), {}, outcome.interrupted, {}, outcome.over_budget};
}

// An empty folder is the current one.
Diagnostics enter(const std::string& folder) {
  if (folder.empty() || ::chdir(folder.c_str()) == 0) return {};
  return {usage_error("--directory: cannot enter '" + folder + "': " + std::strerror(errno))};
}

Outcome rerun(const Parse& parse, const RerunOptions& options) {
  const auto report = support::read_source(options.file);
  if (!report) return {{}, report.errors(), {}};
  const auto recorded = read_recorded_run(*report);
  if (!recorded) return {{}, recorded.errors(), {}};
  const bool to_file = !options.output.empty() && options.output != "-";
  const std::string output = to_file ? std::filesystem::absolute(options.output).string() : "";
  Diagnostics errors = enter(options.directory);
  if (!errors.empty()) return {{}, std::move(errors), {}};
  Outcome outcome = repeat(parse, *report, *recorded);
  outcome.path = output;
  return outcome;
}

Run declare(OptionSet& set, const Parse& parse) {
  const auto options = std::make_shared<RerunOptions>();
  set.positional("REPORT.json", "What analyze, check, compare or rta wrote with --format json; - is standard input",
                 [&set, to = options.get()](const std::vector<std::string>& files) {
                   if (files.size() == 1) {
                     to->file = files.front();
                   } else {
                     set.usage(files.empty() ? "no report is given" : "give one report at a time",
                               "analyze, check, compare and rta write one with --format json");
                   }
                 });
  set.text("--directory", "DIR", "The folder that the report was made in; default: the current one",
           options->directory);
  set.text("--output", "FILE", "Write the report to this file; default: standard output", options->output);
  return [options, parse] { return rerun(parse, *options); };
}

}  // namespace

Command rerun_command(Parse parse) {
  return {"rerun", "Make a report again from what it records, and see that it is the same", footer,
          [parse](OptionSet& set) { return declare(set, parse); }};
}

}  // namespace warpspan::app
