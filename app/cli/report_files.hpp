// --report: the same report in further formats, each in a file of its own.
#pragma once

#include <string>
#include <vector>

#include "app/cli/option_set.hpp"

namespace warpspan::app {

// A report that is asked for beside the one of --format.
struct ReportRequest {
  std::string format;  // one of the names
  std::string path;    // "-": standard output
};

// "junit=out.xml": one of the names, and a path. A usage error names the format that was perhaps meant.
support::Result<ReportRequest> parse_report(const std::vector<std::string>& names, const std::string& option,
                                            const std::string& text);

// The same for all spellings of one path; "-" for standard output (empty or "-").
std::string place_of(const std::string& path);

// --report FORMAT=FILE, repeatable. No two reports go to one place: neither two of these, nor one of these and the one
// of --output, which is declared before (empty or "-": standard output).
void add_reports(OptionSet& options, const std::vector<std::string>& names, const std::string& output,
                 std::vector<ReportRequest>& to);

}  // namespace warpspan::app
