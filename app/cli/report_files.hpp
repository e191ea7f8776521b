// SPDX-License-Identifier: GPL-3.0-or-later
// Where reports go, and in which form: --output, and --report for the same report in further formats, each in a file of
// its own.
#pragma once

#include <string>
#include <vector>

#include "app/cli/option_set.hpp"
#include "app/cli/output.hpp"
#include "app/cli/terminal.hpp"
#include "app/reports/report_format.hpp"

namespace warpspan::app {

// --output FILE, declared behind --format. The name of the file says the form too, if it has the ending of one: nothing
// else may be asked for by --format then, and an ending of a form that there is not is an error. what: "report".
void add_output(OptionSet& options, const std::vector<FormatName>& forms, const std::string& what, std::string& format,
                std::string& output);

// A report that is asked for beside the one of --format.
struct ReportRequest {
  std::string format;  // one of the names
  std::string path;    // "-": standard output
};

// "junit=out.xml": the name of a form, and a path. A usage error names the format that was perhaps meant.
support::Result<ReportRequest> parse_report(const std::vector<FormatName>& forms, const std::string& option,
                                            const std::string& text);

// The same for all spellings of one path; "-" for standard output (empty or "-").
std::string place_of(const std::string& path);

// --report FORMAT=FILE, repeatable. No two reports go to one place: neither two of these, nor one of these and the one
// of --output, which is declared before (empty or "-": standard output).
void add_reports(OptionSet& options, const std::vector<FormatName>& forms, const std::string& output,
                 std::vector<ReportRequest>& to);

// Whether the format is asked for, by --format or for a file of its own.
bool asks_for_format(const std::string& name, const std::string& format, const std::vector<ReportRequest>& reports);

// The reports that are asked for beside the one of --format; explain: with all that is known.
template <typename Report, size_t count>
std::vector<ReportFile> further_reports(const ReportFormat<Report> (&formats)[count], const Report& report,
                                        const std::vector<ReportRequest>& requests, bool explain = false) {
  std::vector<ReportFile> files;
  for (const auto& [format, path] : requests) {
    TextStyle style = style_of(path);
    style.explain = explain;
    files.push_back({path, render(formats, report, format, style)});
  }
  return files;
}

}  // namespace warpspan::app
