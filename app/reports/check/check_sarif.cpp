// SPDX-License-Identifier: GPL-3.0-or-later
// The report of check as SARIF 2.1.0 (OASIS standard, errata 01), for code scanning.
//
// One run. Its tool has a rule for each kind of failure of a gate (check_findings.hpp); it has a result for each
// finding and none for what passes, since code scanning makes an alert of every result:
//   ruleId, ruleIndex    the rule
//   kind, level          "fail", "error": also of what could not be bounded, as the gate does not pass because of it
//   message              the kernel and what is wrong with it
//   locations            where somebody would change something (place_of), and the kernel as logical location
//   relatedLocations     the kernel in the input, its costliest source lines, and its entry in the budgets file
//   partialFingerprints  a digest of the rule, the input's name without its folders, kernel, label, and message where
//                        it tells what is missing, but of no line: it stays when code moves. Under
//                        "primaryLocationLineHash" too, the only name that GitHub reads
//   properties           "kernel" as the input names it, "label"
// Files are URIs relative to the source root; absolute paths elsewhere become file URIs. "executionSuccessful" is false
// where something could not be told; a kernel over its budget is a successful run with exit code 1. "exitCode" is that
// of the gate: that a report could not be written, only the process can tell. Warnings and notes are notifications.
#include <algorithm>
#include <filesystem>
#include <map>

#include "app/reports/check/check_findings.hpp"
#include "app/reports/check/check_formats.hpp"
#include "app/reports/exit_status.hpp"
#include "app/reports/json.hpp"
#include "support/printable.hpp"
#include "support/sha256.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;

// RFC 3986: all but unreserved characters and '/' percent-encoded; also ':', which would end a scheme.
std::string uri_of(const std::string& file) {
  constexpr std::string_view plain = "-._~/";
  constexpr char digits[] = "0123456789ABCDEF";
  const std::string path = std::filesystem::path(file).lexically_normal().string();
  std::string uri = path.front() == '/' ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || plain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += {'%', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return uri;
}

bool is_file(const support::Location& place) { return !place.file.empty() && place.file != "<stdin>"; }

// Section 3.11.5: braces hold the place of an argument, unless they are doubled.
Json message_of(const std::string& text) {
  std::string out;
  for (const char c : support::printable(text)) out.append(c == '{' || c == '}' ? 2 : 1, c);
  return {{"text", out}};
}

Json physical(const support::Location& place) {
  Json physical_location = {{"artifactLocation", {{"uri", uri_of(place.file)}}}};
  if (place.line > 0) physical_location["region"] = {{"startLine", place.line}};
  return physical_location;
}

Json related(const support::Location& place, const std::string& text) {
  return {{"physicalLocation", physical(place)}, {"message", message_of(text)}};
}

Json locations_of(const Finding& finding, const CheckReport& report) {
  Json location = Json::object();
  support::Location place = place_of(finding, report);
  if (!is_file(place) && finding.result != nullptr) place = from_root(finding.result->entry, report);
  if (is_file(place)) location["physicalLocation"] = physical(place);
  if (finding.result != nullptr && !finding.result->kernel.empty()) {
    location["logicalLocations"] =
        Json::array({{{"name", support::printable(support::short_name(finding.result->kernel))},
                      {"fullyQualifiedName", support::printable(finding.result->kernel)},
                      {"kind", "function"}}});
  }
  return location.empty() ? Json::array() : Json::array({location});
}

Json related_of(const CheckResult& result, const CheckReport& report) {
  Json all = Json::array();
  if (result.report && is_file(result.location))
    all.push_back(related(from_root(result.location, report), "the kernel in the file that was read"));
  if (const auto kernel = result.report.get()) {
    const auto& lines = kernel->lines;
    for (size_t i = 0; i < std::min<size_t>(lines.size(), 3); ++i) {
      const support::Location place = from_root({lines[i].path, lines[i].line, 0}, report);
      if (is_file(place)) all.push_back(related(place, std::to_string(lines[i].cycles()) + " cycles of the bound"));
    }
  }
  if (is_file(result.entry)) all.push_back(related(from_root(result.entry, report), "the budget"));
  return all;
}

// What tells this finding from others in a later run: no line and no number that a small change of the code changes.
std::string identity_of(const Finding& finding) {
  std::string text = std::string(rule(finding.rule).id) + "\n";
  const CheckResult* result = finding.result;
  const std::string file = result == nullptr ? finding.location.file : result->file;
  text += std::filesystem::path(file).filename().string() + "\n";
  if (result != nullptr) text += result->kernel + "\n" + result->label + "\n";
  return text + finding.topic;
}

Json result_of(const Finding& finding, const CheckReport& report, std::map<std::string, int>& seen) {
  const CheckResult* result = finding.result;
  std::string text = result == nullptr ? "" : title_of(*result) + ": ";
  text += finding.message + (finding.help.empty() ? "" : "; " + finding.help);
  const std::string identity = identity_of(finding);
  const std::string digest = support::sha256(identity).substr(0, 32) + ":" + std::to_string(++seen[identity]);
  Json entry = {{"ruleId", rule(finding.rule).id},
                {"ruleIndex", static_cast<size_t>(finding.rule)},
                {"kind", "fail"},
                {"level", "error"},
                {"message", message_of(text)},
                {"locations", locations_of(finding, report)}};
  if (result != nullptr) entry["relatedLocations"] = related_of(*result, report);
  entry["partialFingerprints"] = {{"warpspan/finding/v1", digest}, {"primaryLocationLineHash", digest}};
  if (result != nullptr) entry["properties"] = {{"kernel", result->kernel}, {"label", result->label}};
  return entry;
}

Json rules_to_json() {
  Json all = Json::array();
  for (const Rule& rule : rules()) {
    all.push_back({{"id", rule.id},
                   {"shortDescription", {{"text", rule.title}}},
                   {"fullDescription", {{"text", rule.description}}},
                   {"help", {{"text", rule.help}}},
                   {"defaultConfiguration", {{"level", "error"}}}});
  }
  return all;
}

Json notifications(const support::Diagnostics& remarks, const CheckReport& report) {
  Json all = Json::array();
  for (const Diagnostic& remark : remarks) {
    Json one = {{"level", remark.severity == support::Severity::warning ? "warning" : "note"},
                {"message", message_of(remark.message + (remark.help.empty() ? "" : "; " + remark.help))}};
    if (is_file(remark.location)) {
      one["locations"] = Json::array({{{"physicalLocation", physical(from_root(remark.location, report))}}});
    }
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

std::string to_sarif(const CheckReport& report, const TextStyle&) {
  const Findings found = findings(report);
  Json results = Json::array();
  std::map<std::string, int> seen;
  for (const Finding& finding : found.failures) results.push_back(result_of(finding, report, seen));
  const Json driver = {{"name", "warpspan"}, {"version", program_version()}, {"rules", rules_to_json()}};
  const ExitStatus known = exit_status(report.errors);
  const bool over = known == ExitStatus::done && !passes(report);
  const Json invocation = {{"executionSuccessful", known == ExitStatus::done && !report.results.empty()},
                           {"exitCode", static_cast<int>(over ? ExitStatus::over_budget : known)},
                           {"toolExecutionNotifications", notifications(found.remarks, report)}};
  return dump(
      {{"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
       {"version", "2.1.0"},
       {"runs",
        Json::array(
            {{{"tool", {{"driver", driver}}}, {"invocations", Json::array({invocation})}, {"results", results}}})}});
}

}  // namespace warpspan::app
