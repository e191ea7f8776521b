// SPDX-License-Identifier: GPL-3.0-or-later
// The report of check for programs.
//
// {"schema": "warpspan.check/2", "status": as the exit status, "budgets": the budgets file, or "" where the options
// could not be read, "results": [...], "errors": [...], "warnings": [...], "version": of warpspan, "run": as of analyze
// (analyze_json.cpp), also null where --update could not update, "baseline": the file, or ""}; keys come in the order
// given here, later versions only add keys behind them. All numbers are integers. The status is "done" where there is a
// result, all of them pass and there is no error, else "over-budget", "wrong-use", "not-bounded" or "internal-error".
//
// A result, one for each kernel under each launch of an entry, and one for each entry, file or kernel that has none:
//   "kernel"              as the file names it; of "missing" as the entry names it
//   "demangled", "label"  for people; "label" tells several results of one kernel apart, and may be empty
//   "file", "line"        of the kernel in the input; "" and 0 where they are not known
//   "entry"               {"file", "line", "column"}: of the entry in the budgets file; line 0 of "unused"
//   "status"              "pass"; "over": above a limit; "slower": expected to take longer than "expect" and its
//                         tolerance; "grew": above the baseline by more than --fail-on-growth; "fell": below one by
//                         more than --ratchet allows; "unbounded": not known, "errors" say why; "missing": the entry
//                         names no kernel; "unused": no entry is for the kernel
//   "bound", "budget"     cycles, or null where there is none: the safe bound of the makespan, and the most cycles that
//                         end within the entry's time
//   "unit"                "cycles"
//   "limits"              [{"quantity": "makespan", "expected", "registers", "spill", "stack", "shared", "constant" or
//                         "usual", "value": or null if it is not known, "most", "unit": "cycles", "registers" or
//                         "bytes", "text": as the entry has it, "status", "tolerance": "5%" of an expected time or a
//                         baseline, which "most" contains; else "", "since_baseline": whether "text" is what the
//                         baseline has}]
//   "limited_by"          the largest part of the bound, in words; may be empty
//   "parts"               [{"name", "cycles"}]: what the bound consists of, in words; they add up to it
//   "lines"               [{"file", "line", "executions", "cycles", "own", "others", "resource", "text"}]: of the
//                         bound, by line of source, the costliest first
//   "machine", "clock_khz"  of a kernel that was bounded, else null
//   "assumptions"         [sentences] that the bound rests on
//   "errors"              as below: why there is no value
//   "granted"             [names]: what the entry's 'assume' and its logs grant
//   "ladder"              as of analyze (ladder_json.hpp): the bound with more and more granted
//   "expected"            as of analyze (expected_json.hpp): an estimate of the time, or null
//   "headlines"           as of analyze
//   "target"              that the file's code is for; "" where it is not known
//   "since"               null without a baseline, else {"unknown": why nothing of this can be told, or "", "figures":
//                         [{"name": a quantity, or "usual", "unit", "before", "after"}] that both sides have, "lines",
//                         "expected_lines": [{"file", "line_before", "line_after": or null, "text", "before", "after":
//                         cycles}] that changed, what grew most first}
//   "assumed"             as of analyze; null where there is no bound
// Without --explain a result lacks "parts", "lines", "assumptions" and "ladder": all of them are there or none.
//
// An error, a warning: as in the report of analyze (analyze_json.cpp). Those of the results are among those of the
// report.
#include "app/reports/analyze/assumed_json.hpp"
#include "app/reports/analyze/headlines.hpp"
#include "app/reports/analyze/ladder.hpp"
#include "app/reports/analyze/ladder_json.hpp"
#include "app/reports/analyze/lines_json.hpp"
#include "app/reports/analyze/report_sections.hpp"
#include "app/reports/check/check_formats.hpp"
#include "app/reports/expected_json.hpp"
#include "app/reports/json.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

Json limits_to_json(const std::vector<CheckedLimit>& limits) {
  Json json = Json::array();
  for (const CheckedLimit& limit : limits) {
    json.push_back({{"quantity", to_string(limit.quantity)},
                    {"value", or_null(limit.value)},
                    {"most", limit.most},
                    {"unit", unit_of(limit.quantity)},
                    {"text", limit.text},
                    {"status", to_string(limit.verdict)},
                    {"tolerance", limit.tolerance},
                    {"since_baseline", limit.since_baseline}});
  }
  return json;
}

Json parts_to_json(const solver::Bound* bound) {
  Json json = Json::array();
  if (bound == nullptr) return json;
  for (const solver::Part& part : bound->parts) json.push_back({{"name", part_name(part)}, {"cycles", part.cycles}});
  return json;
}

Json changes_to_json(const std::vector<LineChange>& changes) {
  Json json = Json::array();
  for (const LineChange& change : changes) {
    json.push_back({{"file", change.file},
                    {"line_before", or_null(change.line_before)},
                    {"line_after", or_null(change.line_after)},
                    {"text", change.text},
                    {"before", change.before},
                    {"after", change.after}});
  }
  return json;
}

Json since_to_json(const std::optional<SinceBaseline>& since) {
  if (!since) return nullptr;
  Json figures = Json::array();
  for (const SinceBaseline::Figure& one : since->figures) {
    figures.push_back({{"name", one.name}, {"unit", one.unit}, {"before", one.before}, {"after", one.after}});
  }
  return {{"unknown", since->unknown},
          {"figures", figures},
          {"lines", changes_to_json(since->bound)},
          {"expected_lines", changes_to_json(since->expected)}};
}

Json result_to_json(const CheckResult& result, bool in_full) {
  const auto kernel = result.report.get();
  const solver::Bound* bound = kernel ? headline_bound(kernel->analysis) : nullptr;
  std::optional<int64_t> budget;
  for (const CheckedLimit& limit : result.limits) {
    if (limit.quantity == CheckedLimit::Quantity::makespan && !limit.since_baseline) budget = limit.most;
  }
  Json json = {{"kernel", result.kernel},
               {"demangled", support::demangled(result.kernel)},
               {"label", result.label},
               {"file", result.file},
               {"line", result.location.line},
               {"entry", {{"file", result.entry.file}, {"line", result.entry.line}, {"column", result.entry.column}}},
               {"status", to_string(result.verdict)},
               {"bound", or_null(bound == nullptr ? std::nullopt : bound->makespan)},
               {"budget", or_null(budget)},
               {"unit", "cycles"},
               {"limits", limits_to_json(result.limits)},
               {"limited_by", result.limited_by}};
  if (in_full) {
    json["parts"] = parts_to_json(bound);
    json["lines"] = kernel ? lines_to_json(kernel->lines) : Json::array();
  }
  json["machine"] = bound == nullptr ? Json(nullptr) : Json(kernel->machine.name);
  json["clock_khz"] = bound == nullptr ? Json(nullptr) : Json(kernel->machine.clock_khz);
  if (in_full) json["assumptions"] = bound == nullptr ? Json::array() : Json(bound->assumptions);
  json["errors"] = errors_to_json(result.errors);
  json["granted"] = kernel ? names_of(kernel->assumed) : std::vector<std::string>();
  if (in_full) json["ladder"] = kernel ? ladder_to_json(kernel->analysis) : Json::array();
  json["expected"] = bound == nullptr ? Json(nullptr) : expected_to_json(kernel->expected, kernel->machine.clock_khz);
  json["headlines"] = kernel ? headlines_to_json(*kernel) : Json(nullptr);
  json["target"] = result.target;
  json["since"] = since_to_json(result.since);
  json["assumed"] = kernel ? assumed_to_json(*kernel) : Json(nullptr);
  return json;
}

}  // namespace

LongText to_long_json(const CheckReport& report, const TextStyle& style) {
  JsonDocument document;
  document.add("schema", "warpspan.check/2");
  document.add("status", to_string(status_of(report)));
  document.add("budgets", report.budgets);
  document.add_list("results", report.results,
                    [&style](const CheckResult& result) { return result_to_json(result, style.explain); });
  document.add("errors", errors_to_json(report.errors));
  document.add("warnings", warnings_to_json(report.errors));
  document.add("version", program_version());
  document.add("run", run_to_json(report.run));
  document.add("baseline", report.baseline);
  return document.take();
}

std::string to_json(const CheckReport& report, const TextStyle& style) { return to_long_json(report, style).str(); }

}  // namespace warpspan::app
