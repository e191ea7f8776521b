// SPDX-License-Identifier: GPL-3.0-or-later
// The report of check as workflow commands, which GitHub shows as annotations of a run and of the changed files when
// they come on standard output of a step: a line '::error file=F,line=N,title=T::MESSAGE' for each finding
// (check_findings.hpp), '::warning' and '::notice' for warnings and notes, and last a plain line with the number of
// budgets that hold. GitHub shows ten errors of a step; all of them are in its log.
//
// The place is what can be changed (place_of): the line that grew most since the baseline, or the costliest, of a
// kernel over its budget, never one outside of the source root; the entry in the budgets file of one that fell below
// it; else the error's place if it has one, or the entry. Paths begin at the source root: GitHub finds files from the
// root of the repository.
//
// Escapes after 'Workflow commands for GitHub Actions': % CR LF in messages, and : , in properties.
#include "app/reports/check/check_findings.hpp"
#include "app/reports/check/check_formats.hpp"
#include "app/reports/readable.hpp"
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

// "is 0.5 % over its budget".
std::string what_is_missed(const CheckedLimit& limit) {
  const auto left = headroom(limit);
  const std::string over = left && *left > -1000 ? percent(-*left) : "";
  switch (limit.verdict) {
    case Verdict::over:
      if (!over.empty()) return "is " + over + " over its budget";
      return "is over its budget" + (left ? ": " + headroom_text(limit) : "");
    case Verdict::slower: return over.empty() ? "is slower than expected" : "is " + over + " slower than expected";
    case Verdict::grew: return "grew since the baseline";
    default: return "fell below its budget";
  }
}

// "77.118 ms allowed 76.800 ms", "40 registers allowed 32 registers".
std::string allowed_text(const CheckedLimit& limit, const CheckResult& result) {
  const int64_t clock = result.report ? result.report.get()->machine.clock_khz : 0;
  const bool in_time = is_time(limit) && clock > 0 && limit.text.find("cycle") == std::string::npos;
  const auto text = [&](int64_t value) {
    return in_time ? duration(value, clock) : thousands(value) + " " + std::string(unit_of(limit.quantity));
  };
  const std::string what =
      limit.quantity == CheckedLimit::Quantity::makespan || limit.quantity == CheckedLimit::Quantity::registers
          ? ""
          : std::string(to_string(limit.quantity)) + " ";
  return what + text(*limit.value) + " allowed " + text(limit.most);
}

// Of a limit that is missed in short: the title says the rest.
std::string annotation(const Finding& finding, const CheckReport& report) {
  const support::Location place = place_of(finding, report);
  const CheckResult* result = finding.result;
  if (finding.limit == nullptr || !misses(finding.limit->verdict)) {
    return command("error", place, result == nullptr ? "warpspan" : title_of(*result), finding.message, finding.help);
  }
  const std::string grown = growth_text(*result, *finding.limit);
  return command("error", place, title_of(*result) + " " + what_is_missed(*finding.limit),
                 allowed_text(*finding.limit, *result) + (grown.empty() ? "" : ". " + grown), finding.help);
}

}  // namespace

std::string to_github(const CheckReport& report, const TextStyle&) {
  const Findings found = findings(report);
  std::string text;
  for (const Finding& finding : found.failures) {
    text += annotation(finding, report);
  }
  for (const support::Diagnostic& remark : found.remarks) {
    const char* name = remark.severity == support::Severity::warning ? "warning" : "notice";
    text += command(name, from_root(remark.location, report), "warpspan", remark.message, remark.help);
  }
  return text + "warpspan: " + summary_of(report) + "\n";
}

}  // namespace warpspan::app
