// SPDX-License-Identifier: GPL-3.0-or-later
// The report of check as Markdown, for the summary of a GitHub step or a comment on a merge request: whether the gate
// passes, a table of all results with a bar of what is used of each budget, then what is wrong with each that does not
// pass, and warnings. Text from outside stands as markdown.hpp makes it.
#include <algorithm>

#include "app/reports/check/check_findings.hpp"
#include "app/reports/check/check_formats.hpp"
#include "app/reports/markdown.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/xml.hpp"

namespace warpspan::app {

namespace {

const char* word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass: return "holds";
    case Verdict::over: return "**over**";
    case Verdict::slower: return "**slower**";
    case Verdict::grew: return "**grew**";
    case Verdict::fell: return "**fell**";
    case Verdict::unbounded: return "**not bounded**";
    case Verdict::missing: return "**no such kernel**";
    case Verdict::unused: return "**no budget**";
  }
  return "**not bounded**";
}

// Ten cells of what is used, and the rest in per cent: "███████░░░ 26.3 %".
std::string bar(const CheckedLimit& limit) {
  const std::string words = headroom_text(limit);
  if (words.empty()) return {};
  const int64_t used = std::clamp<int64_t>((1000 - headroom(limit).value_or(INT64_MIN / 2) + 99) / 100, 0, 10);
  std::string text;
  for (int64_t i = 0; i < 10; ++i) text += i < used ? "█" : "░";
  return text + " " + words;
}

// Bytes are of several things.
std::string bytes_of(const CheckedLimit& limit) {
  return unit_of(limit.quantity) == "bytes" ? std::string(to_string(limit.quantity)) + " " : "";
}

std::string with_unit(int64_t value, const CheckedLimit& limit) {
  return thousands(value) + " " + std::string(unit_of(limit.quantity));
}

// A row for each limit; only the first names the kernel.
std::string rows_of(const CheckResult& result) {
  const std::string name = markdown_code(title_of(result)) + " | " + word_of(result.verdict);
  if (result.limits.empty()) return "| " + name + " | | | | |\n";
  std::string text;
  bool first = true;
  for (const CheckedLimit& limit : shown_limits(result)) {
    text += "| " + (first ? name : " | ");
    text += " | " + (limit.value ? with_unit(*limit.value, limit) : std::string("not known"));
    const std::string tolerance = limit.tolerance.empty() ? "" : " and " + limit.tolerance + ", expected";
    text += " | " + (limit.since_baseline ? markdown(bytes_of(limit) + "baseline + " + limit.tolerance)
                     : limit.text.empty() ? bytes_of(limit) + with_unit(limit.most, limit)
                                          : markdown(bytes_of(limit) + limit.text + tolerance));
    text += " | " + bar(limit);
    text += " | " + (first ? markdown(result.limited_by) : "") + " |\n";
    first = false;
  }
  return text;
}

std::string place_text(const support::Location& place) {
  if (place.file.empty()) return {};
  return " (" + markdown(place.file) + (place.line > 0 ? ":" + std::to_string(place.line) : "") + ")";
}

std::string item(const std::string& what, const support::Location& place, const std::string& message,
                 const std::string& help) {
  return "- " + what + place_text(place) + ": " + markdown(message) + (help.empty() ? "" : "; " + markdown(help)) +
         "\n";
}

std::string preformatted(const std::string& text) {
  return text.empty() ? "" : "\n<pre>\n" + xml_content(text) + "</pre>\n\n";
}

// What is not as in the baseline.
std::string since_text(const CheckReport& report) {
  std::string rows;
  for (const CheckResult& result : report.results) {
    std::string name = markdown_code(title_of(result));
    for (const SinceBaseline::Figure& one : changed_figures(result)) {
      rows += "| " + name + " | " + one.name + " | " + thousands(one.before) + " | " + thousands(one.after) + " " +
              one.unit + " | " + percent_change(one.before, one.after) + " |\n";
      name.clear();
    }
  }
  const std::string title = "\n### Since the baseline\n\n";
  if (rows.empty()) return title + "No figure that both have changed (" + markdown_code(report.baseline) + ").\n";
  return title + "| kernel | | " + markdown_code(report.baseline) + " | now | |\n|---|---|--:|--:|--:|\n" + rows;
}

std::string failures_text(const std::vector<Finding>& failures) {
  std::string text = "\n### What fails\n\n";
  for (size_t i = 0; i < failures.size(); ++i) {
    const Finding& finding = failures[i];
    const CheckResult* result = finding.result;
    text += item(result == nullptr ? rule(finding.rule).id : markdown_code(title_of(*result)), finding.location,
                 finding.message, finding.help);
    const bool last = i + 1 == failures.size() || failures[i + 1].result != result;
    if (result != nullptr && last) text += preformatted(bound_detail(*result));
  }
  return text;
}

}  // namespace

std::string to_markdown(const CheckReport& report, const TextStyle&) {
  const Findings found = findings(report);
  std::string text = found.failures.empty() ? "## warpspan: the gate passes\n\n" : "## warpspan: the gate fails\n\n";
  text += summary_of(report) + " (" + markdown_code(report.budgets) + ").\n";
  if (!report.results.empty()) {
    text += "\n| kernel | | bound | budget | headroom | what limits it |\n|---|---|--:|--:|---|---|\n";
    for (const CheckResult& result : report.results) text += rows_of(result);
  }
  if (!report.baseline.empty() && !report.results.empty()) text += since_text(report);
  if (!found.failures.empty()) text += failures_text(found.failures);
  if (!found.remarks.empty()) text += "\n### Remarks\n\n";
  for (const support::Diagnostic& remark : found.remarks) {
    text += item(remark.severity == support::Severity::warning ? "warning" : "note", remark.location, remark.message,
                 remark.help);
  }
  return text;
}

}  // namespace warpspan::app
