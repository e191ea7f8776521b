// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report_files.hpp"

#include <algorithm>
#include <filesystem>

#include "app/cli/option_values.hpp"
#include "app/reports/readable.hpp"
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

// Endings by which people ask for a form, whether or not a command has it.
constexpr std::string_view known_endings[] = {".json",  ".html", ".htm", ".csv", ".svg",     ".xml",
                                              ".sarif", ".md",   ".pdf", ".png", ".markdown"};

std::vector<std::string> endings_of(const std::vector<FormatName>& forms) {
  std::vector<std::string> endings;
  for (const FormatName& form : forms) {
    if (!form.endings.empty()) endings.push_back(form.endings.front());
  }
  return endings;
}

void take_form_of_name(OptionSet& options, const std::vector<FormatName>& forms, std::string& format,
                       const std::string& output) {
  const std::string ending = std::filesystem::path(output).extension().string();
  if (ending.empty()) return;
  const auto of_name =
      std::find_if(forms.begin(), forms.end(), [&ending](const FormatName& form) { return form.has_ending(ending); });
  const auto asked =
      std::find_if(forms.begin(), forms.end(), [&format](const FormatName& form) { return form.name == format; });
  const bool is_known = of_name != forms.end() || std::find(std::begin(known_endings), std::end(known_endings),
                                                            ending) != std::end(known_endings);
  if (!is_known || asked == forms.end() || asked->has_ending(ending)) return;
  if (options.is_given("--format")) {
    options.usage("--output: the name '" + output + "' and --format " + format + " contradict each other",
                  of_name == forms.end()
                      ? "give the file another ending"
                      : "leave --format out for " + of_name->name + ", or give the file another ending");
  } else if (of_name != forms.end()) {
    format = of_name->name;
  } else {
    options.usage("--output: there is no form '" + ending + "' here, got '" + output + "'",
                  "the forms by name are " + support::enumeration(endings_of(forms)) +
                      "; --format has all, for any "
                      "other name");
  }
}

}  // namespace

void add_output(OptionSet& options, const std::vector<FormatName>& forms, const std::string& what, std::string& format,
                std::string& output) {
  options.text("--output", "FILE",
               "Write the " + what + " to this file, in the form that its name says (" + joined(endings_of(forms)) +
                   "); default: standard output",
               output);
  options.check([&options, forms, &format, &output] { take_form_of_name(options, forms, format, output); });
}

bool asks_for_format(const std::string& name, const std::string& format, const std::vector<ReportRequest>& reports) {
  return format == name || std::any_of(reports.begin(), reports.end(),
                                       [&name](const ReportRequest& report) { return report.format == name; });
}

std::string place_of(const std::string& path) {
  if (path.empty() || path == "-") return "-";
  std::error_code failed;
  const auto whole = std::filesystem::weakly_canonical(std::filesystem::absolute(path), failed);
  return failed ? path : whole.string();
}

support::Result<ReportRequest> parse_report(const std::vector<FormatName>& forms, const std::string& option,
                                            const std::string& text) {
  const size_t sign = text.find('=');
  if (sign == std::string::npos || sign + 1 == text.size()) {
    return support::usage_error(option + ": expected FORMAT=FILE, got '" + text + "'",
                                "the formats are " + support::enumeration(names_of(forms)));
  }
  const auto format = parse_form(forms, option, text.substr(0, sign), 2);
  if (!format) return format.errors();
  return ReportRequest{*format, text.substr(sign + 1)};
}

void add_reports(OptionSet& options, const std::vector<FormatName>& forms, const std::string& output,
                 std::vector<ReportRequest>& to) {
  options.each(
      "--report", "FORMAT=FILE", "Write the report in this format to this file too; - is standard output; repeatable",
      [forms](const std::string& option, const std::string& text) { return parse_report(forms, option, text); },
      [&to](const ReportRequest& report, const std::string&) { to.push_back(report); });
  options.not_deciding("--report");
  options.check([&options, &output, &to] { check_places(options, output, to); });
}

}  // namespace warpspan::app
