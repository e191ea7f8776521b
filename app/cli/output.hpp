// SPDX-License-Identifier: GPL-3.0-or-later
// Where a command's report and errors go.
#pragma once

#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/terminal.hpp"
#include "app/kept/long_text.hpp"
#include "app/reports/exit_status.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::app {

// A report for a file; empty or "-": for standard output.
struct ReportFile {
  std::string path;
  LongText text;
  std::string option = "--report";  // that the path is from
};

// A file that is written only if nothing has failed.
struct SuccessFile {
  ReportFile file;
  std::optional<timespec>
      time;  // of its last change: what changes later is newer, also if that was before it is written
};

// What a command hands over.
struct Outcome {
  LongText report;
  support::Diagnostics errors;
  std::string path;                          // as ReportFile::path, of the report
  bool interrupted = false;                  // by the user, and something that was asked for is missing
  std::vector<ReportFile> further = {};      // the same in other formats, and what goes to files beside it
  bool over_budget = false;                  // a bound exceeds its budget, or a regression was found
  std::vector<SuccessFile> at_success = {};  // written behind all others, and only where the exit status is 0 by then
};

// Whether a report for this path would go to a file that was read (support::was_read), not to standard output.
bool overwrites_input(const std::string& path);

// Where something would do so, nothing is left of the outcome but an error
// that names it, and what is said of it goes to standard output.
void refuse_overwriting(Outcome& outcome);

// Writes the reports, then the errors to standard error, among them one for each report that could not be written. An
// empty report is not written: the file stays as it is.
ExitStatus deliver(Outcome outcome);

// Writes a whole file, or nothing: the text goes to a new file in its folder that takes its place once it is complete,
// and has no name until then where the file system can do that. A program that is killed on the way may leave a file
// PATH.warpspan-XXXXXX. A file that is no regular file, such as a pipe, is written directly, and so is the one that
// standard output goes to. A file that cannot be written is a usage error, whose help names the option that the path is
// from.
std::optional<support::Diagnostic> write_whole(const std::string& path, const LongText& text,
                                               const std::string& option = "--output");

// A usage error if it cannot be written.
std::optional<support::Diagnostic> write_standard_output(const LongText& text);

}  // namespace warpspan::app
