#include "app/cli/report_files.hpp"

#include <algorithm>
#include <filesystem>

#include "app/cli/option_values.hpp"
#include "support/nearest.hpp"

namespace warpspan::app {

namespace {

void check_places(OptionSet& options, const std::string& output, const std::vector<ReportRequest>& reports) {
  std::vector<std::string> taken = {place_of(output)};
  for (const ReportRequest& report : reports) {
    const std::string place = place_of(report.path);
    if (std::find(taken.begin(), taken.end(), place) != taken.end()) {
      options.usage("--report: another report goes to '" + report.path + "' too", "give each report a file of its own");
    }
    taken.push_back(place);
  }
}

}  // namespace

std::string place_of(const std::string& path) {
  if (path.empty() || path == "-") return "-";
  std::error_code failed;
  const auto whole = std::filesystem::weakly_canonical(std::filesystem::absolute(path), failed);
  return failed ? path : whole.string();
}

support::Result<ReportRequest> parse_report(const std::vector<std::string>& names, const std::string& option,
                                            const std::string& text) {
  const size_t sign = text.find('=');
  if (sign == std::string::npos || sign + 1 == text.size()) {
    return support::usage_error(option + ": expected FORMAT=FILE, got '" + text + "'",
                                "the formats are " + support::enumeration(names));
  }
  const auto format = parse_name(names, option, text.substr(0, sign), 2);
  if (!format) return format.errors();
  return ReportRequest{*format, text.substr(sign + 1)};
}

void add_reports(OptionSet& options, const std::vector<std::string>& names, const std::string& output,
                 std::vector<ReportRequest>& to) {
  options.each(
      "--report", "FORMAT=FILE", "Write the report in this format to this file too; - is standard output; repeatable",
      [names](const std::string& option, const std::string& text) { return parse_report(names, option, text); },
      [&to](const ReportRequest& report, const std::string&) { to.push_back(report); });
  options.not_deciding("--report");
  options.check([&options, &output, &to] { check_places(options, output, to); });
}

}  // namespace warpspan::app
