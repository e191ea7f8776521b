// SPDX-License-Identifier: GPL-3.0-or-later
// The report of compare for programs.
//
// {"schema": "warpspan.compare/1", "sides": [names, the base first], "allowed": what --fail-on-regression allows, "5%",
// or null, "regression": whether some kernel rose by more, "unknown" where none is known to have and something could
// not be compared, "kernels": [...], "errors" and "warnings": as those of analyze (analyze_json.cpp), "version": of
// warpspan, "run": as of analyze, "status": as the exit status}; keys come in the order given here, later versions only
// add keys behind them. All numbers are integers. "sides" and "kernels" are empty where the options could not be read.
//
// A kernel:
//   "name"        of the first side that has it
//   "sides"       one for each side: null where it has no such kernel, else {"file", "name", "machine",
//                 "block": [x, y, z], "grid": [x, y, z] or null, "clock_khz", "bound": cycles, "one_warp": cycles,
//                 "instructions": {"L", "C", "S"}, "registers": {"least", "most"} or null where they are not known,
//                 "transactions": {space: count} or null, "expected": as of analyze (expected_json.hpp)}
//   "changes"     one for each side but the base: null where it or the base has no such kernel, else
//     "matched_by"      "name", "demangled-name", "short-name" or "similarity"
//     "bound"           cycles that it rose by; null where the bounds cannot be compared
//     "not_comparable"  why, or ""
//     "other_machine"   whether the bounds are for different machines
//     "regressed"       whether it rose by more than "allowed"
//     "loops"           [{"before", "after": {"label", "source_file", "source_line", "trip_count"} or null}];
//                       source_line 0 and trip_count null where they are not known
//     "loops_by_line"   whether they were matched by source line, else by order
//     "transactions"    [{"space", "before", "after"}]; null where not known
//     "parts"           [{"part", "before", "after"}] of the bound, that changed, cycles, the largest change first
//     "lines"           [{"file", "line_before", "line_after": null where that side has no such line, "text", "before",
//                       "after"}] that changed, cycles, the largest change first; "file" is "" for all code that no
//                       line table tells of
//     "instructions"    [{"instruction", "before", "after"}]: instead of lines where they cannot be compared
//     "lines_missing"   why there are no lines, or ""
//     "assumed_before", "assumed_after"   assumptions of one side only
//     "expected"        cycles that the expected time rose by, an estimate; null where a side has none, or they were
//                       not found in the same way
#include "app/reports/compare/compare_formats.hpp"
#include "app/reports/exit_status.hpp"
#include "app/reports/expected_json.hpp"
#include "app/reports/json.hpp"
#include "app/reports/names.hpp"

namespace warpspan::app {

namespace {

Json extent_to_json(const ir::Extent& extent) { return Json::array({extent.x, extent.y, extent.z}); }

Json number(const std::optional<int64_t>& value) { return value ? Json(*value) : Json(nullptr); }

Json side_to_json(const std::optional<KernelFigures>& side) {
  if (!side) return nullptr;
  Json registers = nullptr;
  if (side->registers) registers = {{"least", side->registers->least}, {"most", side->registers->most}};
  Json transactions = nullptr;
  if (side->transactions) {
    transactions = Json::object();
    for (const SpaceTransactions& entry : *side->transactions)
      transactions[std::string(to_string(entry.space))] = entry.count;
  }
  return {{"file", side->file},
          {"name", side->name},
          {"machine", side->machine},
          {"block", extent_to_json(side->block)},
          {"grid", side->grid ? extent_to_json(*side->grid) : Json(nullptr)},
          {"clock_khz", side->clock_khz},
          {"bound", side->bound},
          {"one_warp", side->one_warp},
          {"instructions", by_unit(side->instructions)},
          {"registers", registers},
          {"transactions", transactions},
          {"usual", number(side->usual)},
          {"nothing", number(side->nothing)},
          {"expected", expected_to_json(side->expected, side->clock_khz)}};
}

Json loop_to_json(const std::optional<LoopFigure>& loop) {
  if (!loop) return nullptr;
  return {{"label", loop->label},
          {"source_file", loop->source_file},
          {"source_line", loop->source_line},
          {"trip_count", number(loop->trips)}};
}

Json values_to_json(const std::vector<ValueChange>& values, const char* key) {
  Json json = Json::array();
  for (const ValueChange& value : values) {
    json.push_back({{key, value.name}, {"before", number(value.before)}, {"after", number(value.after)}});
  }
  return json;
}

Json lines_to_json(const std::vector<LineChange>& lines) {
  Json json = Json::array();
  for (const LineChange& line : lines) {
    json.push_back({{"file", line.file},
                    {"line_before", number(line.line_before)},
                    {"line_after", number(line.line_after)},
                    {"text", line.text},
                    {"before", line.before},
                    {"after", line.after}});
  }
  return json;
}

Json changes_to_json(const ComparedKernel& kernel, size_t side) {
  if (!kernel.changes[side]) return nullptr;
  const KernelChanges& changes = *kernel.changes[side];
  Json loops = Json::array();
  for (const LoopChange& loop : changes.loops) {
    loops.push_back({{"before", loop_to_json(loop.before)}, {"after", loop_to_json(loop.after)}});
  }
  Json rise = nullptr;
  if (changes.not_comparable.empty()) rise = kernel.sides[side]->bound - kernel.sides.front()->bound;
  Json slower = nullptr;
  if (kernel.has_expected_change(side))
    slower = kernel.sides[side]->expected->cycles - kernel.sides.front()->expected->cycles;
  return {{"matched_by", to_string(changes.matched)},
          {"bound", rise},
          {"not_comparable", changes.not_comparable},
          {"other_machine", changes.other_machine},
          {"regressed", changes.regressed},
          {"loops", loops},
          {"loops_by_line", changes.loops_by_line},
          {"transactions", values_to_json(changes.transactions, "space")},
          {"parts", values_to_json(changes.parts, "part")},
          {"lines", lines_to_json(changes.lines)},
          {"instructions", values_to_json(changes.words, "instruction")},
          {"lines_missing", changes.lines_missing},
          {"assumed_before", changes.assumed_before},
          {"assumed_after", changes.assumed_after},
          {"expected", slower}};
}

Json kernel_to_json(const ComparedKernel& kernel) {
  Json sides = Json::array();
  for (const auto& side : kernel.sides) sides.push_back(side_to_json(side));
  Json changes = Json::array();
  for (size_t side = 1; side < kernel.sides.size(); ++side) changes.push_back(changes_to_json(kernel, side));
  return {{"name", kernel.any().name}, {"sides", sides}, {"changes", changes}};
}

// As text no filter takes it for false: jq's "not" makes it false.
Json regression_of(const CompareReport& report) {
  const bool known = report.regression || exit_status(report.errors) == ExitStatus::done;
  return known ? Json(report.regression) : Json("unknown");
}

}  // namespace

std::string to_json(const CompareReport& report, const TextStyle&) {
  Json kernels = Json::array();
  for (const ComparedKernel& kernel : report.kernels) kernels.push_back(kernel_to_json(kernel));
  return dump({{"schema", "warpspan.compare/1"},
               {"sides", report.sides},
               {"allowed", report.allowed.empty() ? Json(nullptr) : Json(report.allowed)},
               {"regression", regression_of(report)},
               {"kernels", kernels},
               {"errors", errors_to_json(report.errors)},
               {"warnings", warnings_to_json(report.errors)},
               {"version", program_version()},
               {"run", run_to_json(report.run)},
               {"status", to_string(exit_status(report.errors, report.regression))}});
}

}  // namespace warpspan::app
