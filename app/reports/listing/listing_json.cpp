// SPDX-License-Identifier: GPL-3.0-or-later
// {"schema": "warpspan.listing/1", "kernels": [...], "errors": [...], "warnings": [...], "version", "status"}; errors,
// warnings and status as in analyze_json.cpp. A kernel:
//   "file", "name", "demangled", "target"
//   "code"         "machine code" or "PTX"
//   "machine"      its name, "" without a bound
//   "launch"       {"block", "grid": [x, y, z] or null}
//   "bound"        {"cycles": the worst-case makespan, "one_warp": of one warp alone}, or null
//   "reasons"      [as errors]: why there is no bound
//   "loops"        as in analyze_json.cpp
//   "parents"      [by loop: the index of the loop around it, or null]
//   "blocks"       [{"label", "function", "first", "count": in "lines", "loop": index or null, "next": [labels],
//                  "may_end", "divergent", "executions"}]
//   "lines"        [{"line", "offset": or null, "instruction", "control", "source_file", "source_line", "source_text",
//   "ptx_line",
//                  "executions", "cycles", "own", "others", "resource", "issue", "latency": or null,
//                  "rests_on": [sentences]}]
//   "worst_path"   labels, loops in parentheses
//   "assumptions"  [sentences] of the bound
#include "app/reports/exit_status.hpp"
#include "app/reports/json.hpp"
#include "app/reports/listing/listing_formats.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

Json to_json(const ListedKernel& kernel);

Json to_json(const CodeLine& line) {
  return {{"line", line.line},
          {"offset", line.offset ? Json(*line.offset) : Json(nullptr)},
          {"instruction", line.text},
          {"control", line.control},
          {"source_file", line.source_file},
          {"source_line", line.source_line},
          {"source_text", line.source_text},
          {"ptx_line", line.ptx_line},
          {"executions", line.executions},
          {"cycles", line.cycles()},
          {"own", line.own},
          {"others", line.others},
          {"resource", line.resource},
          {"issue", or_null(line.issue)},
          {"latency", or_null(line.latency)},
          {"rests_on", line.rests_on}};
}

Json to_json(const CodeBlock& block) {
  return {{"label", block.label},
          {"function", block.function},
          {"first", block.first},
          {"count", block.count},
          {"loop", block.loop ? Json(*block.loop) : Json(nullptr)},
          {"next", block.next},
          {"may_end", block.may_end},
          {"divergent", block.divergent},
          {"executions", block.executions}};
}

Json parents_of(const ListedKernel& kernel) {
  Json parents = Json::array();
  for (const ir::Loop& loop : kernel.loops) {
    parents.push_back(loop.parent == ir::no_loop ? Json(nullptr) : Json(loop.parent));
  }
  return parents;
}

template <typename Part>
Json all_to_json(const std::vector<Part>& parts) {
  Json json = Json::array();
  for (const Part& part : parts) json.push_back(to_json(part));
  return json;
}

Json to_json(const ListedKernel& kernel) {
  Json bound = nullptr;
  if (kernel.makespan) bound = {{"cycles", *kernel.makespan}, {"one_warp", or_null(kernel.worst)}};
  return {{"file", kernel.file},
          {"name", kernel.name},
          {"demangled", support::demangled(kernel.name)},
          {"target", kernel.target},
          {"code", kernel.is_machine_code ? "machine code" : "PTX"},
          {"machine", kernel.machine},
          {"launch", {{"block", extent_to_json(kernel.launch.block)}, {"grid", extent_to_json(kernel.launch.grid)}}},
          {"bound", bound},
          {"reasons", errors_to_json(kernel.reasons)},
          {"loops", loops_to_json(kernel.loops)},
          {"parents", parents_of(kernel)},
          {"blocks", all_to_json(kernel.blocks)},
          {"lines", all_to_json(kernel.lines)},
          {"worst_path", kernel.worst_path},
          {"assumptions", kernel.assumptions}};
}

}  // namespace

std::string to_json(const ListingReport& report, const TextStyle&) {
  return dump({{"schema", "warpspan.listing/1"},
               {"kernels", all_to_json(report.kernels)},
               {"errors", errors_to_json(report.errors)},
               {"warnings", warnings_to_json(report.errors)},
               {"version", program_version()},
               {"status", to_string(exit_status(report.errors))}});
}

}  // namespace warpspan::app
