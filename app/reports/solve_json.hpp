// The report of 'warpspan solve' for programs.
//
// For one number of warps:
// {"schema": "warpspan.solve/1", "string", "warps", "sigma", "results": [...], "transformed", "bracket", "line",
// "policies", "search", "schedule", "interrupted", "errors"}
// For several:
// {"schema": "warpspan.solve-sweep/1", "string", "sigma", "transformed", "problems": [{"warps", "results", "bracket",
// "line", "policies", "search"}], "target", "interrupted", "errors"}
//
//   "string"       as given, repetitions as numbers
//   "sigma"        {"L", "C", "S"}: warps that a class executes in a cycle: an integer, or a text such as "1/2"
//   "results"      [{"method", "makespan": integer or null, "kind": "exact", "upper", "lower" or "published", "safe",
//                  "status": "optimal", "time-limit", "too-large", "overflow" or "not-applicable", "seconds",
//                  "assumptions": [...], "remark"}]; a method may occur twice, then with two kinds
//   "transformed"  {"string": for units narrower than a warp, "servers": {"L", "C", "S"}}
//   "bracket"      {"lower", "upper", "gap"}: lower <= worst case <= upper, either null if not known; gap is
//                  (upper - lower) / upper to four places, null unless both are known
//   "line"         {"slope", "intercept", "valid_from", "valid_to"}: what a certificate proves for every number of
//                  warps from "valid_from" to "valid_to" (null: as many as there may be), as texts such as "4" or
//                  "7/2"; null if there is none
//   "policies"     [{"policy", "makespan"}]: of the simulated schedules
//   "search"       {"states", "dropped", "steps", "resident_states", "memory": bytes} of the exact search
//   "schedule"     null, or the longest schedule found: for each warp the cycles, from 1, of its symbols
//   "target"       null, or {"warps", "results", "bracket", "estimates": [{"warps", "exact", "seconds", "estimate",
//                  "smallest"}]}: the published approximation, which is not safe
//   "interrupted"  whether Ctrl-C ended the search
//   "errors"       as in report_json.hpp
//
// Keys come in this order; later versions only add keys behind them. All numbers are integers, except "seconds" and
// "gap". Only "seconds" and "memory" may differ between two runs in which no method runs out of time.
#pragma once

#include <string>

#include "app/reports/solve_report.hpp"

namespace warpspan::app {

// The whole document, indented, with a line end.
std::string to_json(const SolveReport& report);

}  // namespace warpspan::app
