// SPDX-License-Identifier: GPL-3.0-or-later
// The report of check for the test pages of CI systems, which read what JUnit's runners write as XML.
//
// One <testsuites> with one <testsuite> named after the budgets file. A <testcase> for each result, with
//   classname  the input file, or the budgets file where there is none
//   name       the kernel's short name and the entry's label; a number behind a name that occurs before, because GitLab
//              drops test cases of the same name
//   time       "0": the field is for how long a test ran, which is of no interest and differs from run to run. The
//              kernel's bound is in <system-out>.
// and one for each error that belongs to no result. A <failure> in it says that a kernel is over its budget, slower
// than expected, grew since the baseline, or fell below it; an <error>, that something could not be told. "type" is the
// rule of the first finding (check_findings.hpp), "message" its message, and the text all of them, because GitLab shows
// nothing else. A report that checked nothing has one test case with an error.
//
// Only elements and attributes that all of these know: the schema junit-10.xsd of Jenkins' xunit plugin, GitLab's
// parser of unit test reports, and the table of JUnit results of Azure Pipelines' PublishTestResults.
#include <fmt/format.h>

#include <map>

#include "app/reports/check/check_findings.hpp"
#include "app/reports/check/check_formats.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/xml.hpp"
#include "support/diagnostic.hpp"
#include "support/printable.hpp"

namespace warpspan::app {

namespace {

struct TestCase {
  std::string class_name, name;
  std::vector<Finding> findings;
  std::string output;  // <system-out>
};

// "file:3: message", and the help on a line of its own.
std::string text_of(const Finding& finding) {
  std::string text;
  if (!finding.location.file.empty()) text += support::printable(finding.location.file) + ":";
  if (finding.location.line > 0) text += std::to_string(finding.location.line) + ":";
  text += (text.empty() ? "" : " ") + support::printable(finding.message) + "\n";
  if (!finding.help.empty()) text += "  help: " + support::printable(finding.help) + "\n";
  return text;
}

std::string limits_of(const CheckResult& result) {
  std::string text = "kernel " + support::printable(result.kernel) + "\n";
  for (const CheckedLimit& limit : result.limits) {
    text += std::string(to_string(limit.quantity)) + " " + limit_text(limit, result) + "\n";
  }
  for (const SinceBaseline::Figure& one : changed_figures(result)) {
    text += fmt::format("since the baseline: {} {} -> {} {}\n", one.name, thousands(one.before), thousands(one.after),
                        one.unit);
  }
  return text;
}

std::vector<TestCase> test_cases(const CheckReport& report, const std::vector<Finding>& failures, bool in_full) {
  std::vector<TestCase> cases;
  std::map<const CheckResult*, size_t> place;
  for (const CheckResult& result : report.results) {
    place[&result] = cases.size();
    cases.push_back({result.file.empty() ? report.budgets : result.file,
                     title_of(result),
                     {},
                     limits_of(result) + (in_full || result.verdict != Verdict::pass ? bound_detail(result) : "")});
  }
  for (const Finding& finding : failures) {
    if (finding.result != nullptr) {
      cases[place.at(finding.result)].findings.push_back(finding);
    } else {
      cases.push_back({finding.location.file, finding.message, {finding}, {}});
    }
  }
  std::map<std::pair<std::string, std::string>, int> seen;
  for (TestCase& one : cases) {
    const int times = ++seen[{one.class_name, one.name}];
    if (times > 1) one.name += fmt::format(" #{}", times);
  }
  return cases;
}

// Whether the kernel is what fails, not what we know of it.
bool is_failure(const TestCase& one) {
  if (one.findings.empty()) return false;
  const CheckResult* result = one.findings.front().result;
  return result != nullptr && misses(result->verdict);
}

std::string element(const TestCase& one) {
  std::string text = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"0\">\n",
                                 xml_attribute(one.class_name), xml_attribute(one.name));
  if (!one.findings.empty()) {
    std::string all;
    for (const Finding& finding : one.findings) all += text_of(finding);
    const Finding& first = one.findings.front();
    const char* tag = is_failure(one) ? "failure" : "error";
    text += fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", tag, rule(first.rule).id,
                        xml_attribute(first.message), xml_content(all));
  }
  if (!one.output.empty()) text += "      <system-out>" + xml_content(one.output) + "</system-out>\n";
  return text + "    </testcase>\n";
}

}  // namespace

std::string to_junit(const CheckReport& report, const TextStyle& style) {
  const Findings found = findings(report);
  size_t failures = 0, errors = 0;
  const std::vector<TestCase> cases = test_cases(report, found.failures, style.explain);
  std::string elements;
  for (const TestCase& one : cases) {
    if (!one.findings.empty()) ++(is_failure(one) ? failures : errors);
    elements += element(one);
  }
  std::string remarks;
  for (const support::Diagnostic& remark : found.remarks) remarks += support::render(remark, false);
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"0\"", cases.size(), failures, errors);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += "<testsuites name=\"warpspan check\" " + counts + ">\n";
  text += "  <testsuite name=\"" + xml_attribute(report.budgets) + "\" " + counts + " skipped=\"0\">\n";
  text +=
      "    <properties>\n      <property name=\"warpspan\" value=\"" + program_version() + "\"/>\n    </properties>\n";
  text += elements;
  if (!remarks.empty()) text += "    <system-err>" + xml_content(remarks) + "</system-err>\n";
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace warpspan::app
