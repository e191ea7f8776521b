// The report of analyze for programs.
//
// {"schema": "warpspan.analyze/1", "kernels": [...], "errors": [...]}; keys come in the order given here, later
// versions only add keys behind them. All numbers are integers, except "seconds", which is also the only value that may
// differ between two runs on the same input. Time is in cycles of the machine's clock.
//
// A kernel:
//   "file", "name"        "file" is "<stdin>" for standard input
//   "machine"             name of the machine model
//   "launch"              {"block": [x, y, z], "grid": [x, y, z] or null, "warps": of one multiprocessor over the whole
//                         run where blocks are dealt round-robin, "warps_per_block", "blocks": as "warps",
//                         "device_warps", "block_from_file", "device_blocks", "residency": {"least", "most": blocks
//                         that a multiprocessor holds at a time, "least_limit", "most_limit": "warps", "blocks",
//                         "registers" or "shared memory"}, "registers": {"least", "most": of a thread}, "shared_bytes":
//                         {"least", "most": of a block}}
//   "instructions"        {"L", "C", "S"}: what one warp executes on its worst path
//   "string"              instruction string of that path
//   "raw_edges"           register dependencies, read after write, counted in the program text
//   "loops"               [{"label", "line", "trip_count", "origin": "scalar-evolution", "simulation", "not-entered" or
//                         "user"}]; "label" may be empty
//   "single_warp"         {"best", "average", "worst"}: one warp alone
//   "bounds"              [{"model": "string" or "pipeline", "method", "makespan": integer, or null where there is no
//                         value,
//                         "kind": "exact", "upper", "lower" or "published", "safe", "assumptions", "seconds",
//                         "status": "optimal", "time-limit", "too-large", "overflow" or "not-applicable", "remark",
//                         "parts": [{"kind": "path", "code", "start", "resource", "dispatch" or "rounding", "name": of
//                         the resource, "cycles": floor of count * demand / servers, "count", "demand", "servers"}],
//                         which add up to "makespan"; empty for methods without parts}]
//   "witness"             makespan of the slowest schedule found in the string model, or null
//   "transformed"         {"string": for units narrower than a warp, "servers": {"L", "C", "S"}}
//   "only_one_string"     whether every warp executes that string
//   "resources"           [{"name", "servers", "warps": that share it, "demand": server-cycles of one warp}]
//   "clock_readings"      [{"first_line", "second_line", "best", "average", "worst"}]
//   "assumed_figures"     instruction words whose figures nobody has measured
//   "clock_khz"           of the machine
//   "any_dispatcher"      the pipeline bound that does without round-robin dispatch, where it is larger than the one in
//                         "bounds", or null
//
// An error: "file", "line", "column", "message", "help", "cause": "usage", "input" or "internal". Lines and columns
// count from 1; 0 where an error has no place in a file. "file" and "help" may be empty.
#pragma once

#include <string>

#include "app/reports/analyze_report.hpp"

namespace warpspan::app {

// The whole document, indented, with a line end. Bytes that are not UTF-8 come out as U+FFFD.
std::string to_json(const AnalyzeReport& report);

}  // namespace warpspan::app
