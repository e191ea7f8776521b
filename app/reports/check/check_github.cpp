// The report of check as workflow commands, which GitHub shows as annotations of a run and of the changed files when
// they come on standard output of a step: a line '::error file=F,line=N,title=T::MESSAGE' for each finding
// (check_findings.hpp), '::warning' and '::notice' for warnings and notes, and last a plain line with the number of
// budgets that hold. GitHub shows ten errors of a step; all of them are in its log.
//
// The place is what can be changed: the costliest source line of a kernel over its budget, the entry in the budgets
// file of one that fell below it; else the error's place if it has one, or the entry. Paths stay as they were given:
// GitHub finds files from the root of the repository, which is where a workflow's steps run.
//
// Escapes after 'Workflow commands for GitHub Actions': % CR LF in messages, and : , in properties.
#include "app/reports/check/check_findings.hpp"
#include "app/reports/check/check_formats.hpp"
#include "support/printable.hpp"

namespace warpspan::app {

namespace {

std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '%': out += "%25"; break;
      case '\r': out += "%0D"; break;
      case '\n': out += "%0A"; break;
      case ':': out += property ? "%3A" : ":"; break;
      case ',': out += property ? "%2C" : ","; break;
      default: out += c;
    }
  }
  return out;
}

std::string property(const char* name, std::string_view value) {
  return name + ("=" + escaped(support::printable(value), true));
}

std::string command(const char* name, const support::Location& place, std::string_view title,
                    const std::string& message, const std::string& help) {
  std::string properties;
  if (!place.file.empty()) properties += property("file", place.file) + ",";
  if (!place.file.empty() && place.line > 0) properties += property("line", std::to_string(place.line)) + ",";
  if (!place.file.empty() && place.column > 0) properties += property("col", std::to_string(place.column)) + ",";
  std::string text = support::printable(message);
  if (!help.empty()) text += "\nhelp: " + support::printable(help);
  return std::string("::") + name + " " + properties + property("title", title) + "::" + escaped(text, false) + "\n";
}

// Where somebody would change something.
support::Location place_of(const Finding& finding) {
  const CheckResult* result = finding.result;
  const bool is_over = finding.rule == RuleIndex::over_budget || finding.rule == RuleIndex::slower;
  const bool costs = is_over && result->report && !result->report->lines.empty();
  if (costs) {
    const LineCost& costliest = result->report->lines.front();
    return {costliest.path, costliest.line, 0};
  }
  const bool has_entry = result != nullptr && !result->entry.file.empty();
  return has_entry && (finding.rule == RuleIndex::below_budget || finding.location.line == 0) ? result->entry
                                                                                              : finding.location;
}

}  // namespace

std::string to_github(const CheckReport& report, const TextStyle&) {
  const Findings found = findings(report);
  std::string text;
  for (const Finding& finding : found.failures) {
    const std::string title = finding.result == nullptr ? "warpspan" : title_of(*finding.result);
    text += command("error", place_of(finding), title, finding.message, finding.help);
  }
  for (const support::Diagnostic& remark : found.remarks) {
    const char* name = remark.severity == support::Severity::warning ? "warning" : "notice";
    text += command(name, remark.location, "warpspan", remark.message, remark.help);
  }
  return text + "warpspan: " + summary_of(report) + "\n";
}

}  // namespace warpspan::app
