// SPDX-License-Identifier: GPL-3.0-or-later
// The report of analyze for programs.
//
// {"schema": "warpspan.analyze/2", "kernels": [...], "errors": [...]}; keys come in the order given here, later
// versions only add keys behind them. All numbers are integers, except "seconds" of searches, which is also the only
// value that may differ between two runs on the same input; searches that end by their time limit may also find more or
// less. Time is in cycles of the machine's clock.
//
// Without --explain a kernel lacks what most of a report would be: "string", "transformed", "resources", "lines",
// "costs", "ladder", "accesses", "listing", "ptx" and the "assumptions" of its bounds. All of them are there or none.
//
// A kernel:
//   "file", "name"        "file" is "<stdin>" for standard input
//   "machine"             name of the machine model
//   "launch"              {"block": [x, y, z], "grid": [x, y, z] or null, "warps": of one multiprocessor over the whole
//                         run where blocks are dealt round-robin, "warps_per_block", "blocks": as "warps",
//                         "device_warps", "block_from_file", "device_blocks", "residency": {"least", "most": blocks
//                         that a multiprocessor holds at a time, "least_limit", "most_limit": "warps", "blocks",
//                         "registers", "shared memory" or "barriers"}, "registers": {"least", "most": of a thread},
//                         "shared_bytes":
//                         {"least", "most": of a block}}
//   "instructions"        {"L", "C", "S"}: what one warp executes on its worst path
//   "string"              instruction string of that path
//   "raw_edges"           register dependencies, read after write, counted in the program text
//   "loops"               [{"label", "line", "trip_count", "origin": a name of ir/trip_methods.def, "source_file",
//                         "source_line": of the program it was compiled from, "" and 0 if unknown, "given": the bound
//                         that the user gave, whether or not it is the smaller one, or null, "given_by":
//                         "--loop-bound", "facts.toml:12" or ""}]; "label" may be empty
//   "single_warp"         {"best", "average", "worst"}: one warp alone
//   "bounds"              [{"model": "string" or "pipeline", "method", "makespan": null where there is no value,
//                         "kind": "exact", "upper", "lower" or "published", "safe", "assumptions", "seconds",
//                         "status": "optimal", "time-limit", "too-large", "overflow" or "not-applicable", "remark",
//                         "parts": [{"kind": "path", "code", "failures", "start", "resource", "blocks", "dispatch",
//                         "others" or "rounding", "name": of the resource, or "issue and units" and "units of other
//                         schedulers" for what is held from the issue on, "cycles": floor of count * demand / servers,
//                         of "blocks" maybe one more, "count", "demand", "servers"}],
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
//   "fetch"               what fetching the code costs, or null: {"bytes", "lines": of code, "misses": {cache: {"fits",
//                         "once", "each_warp"}}, "cycles": {"once", "each_warp"}}
//   "lines"               [{"file", "line", "executions": of its instruction that one warp executes most, "cycles": of
//                         the smallest safe pipeline bound, "own": of these, waiting of the warps that the bound
//                         follows, "others": the rest, in which other warps keep a resource, "resource": the one with
//                         most of these, or "", "text": of the line, "" if its file cannot be read}], the costliest
//                         first; of the source where the line tables of "file" tell it, else of "file"
//   "costs"               [{"line": in "file", "instruction": "ld.global.f32", "executions", "cycles", "own", "others",
//                         "resource": as in "lines"}], one an instruction, in their order. Both lists together with the
//                         parts that no instruction has make the bound; both are empty where they are too long to tell
//   "transactions"        {"generic", "global", "shared", "local", "parameter", "constant", "texture"}: pieces that the
//                         memory accesses of one warp fall into, the largest total on any path; null if a total exceeds
//                         64 bits
//   "demangled"           "void reduce<512>(...)"; "name" where that is not mangled
//   "occupancy"           of a multiprocessor: {"blocks", "warps": {"least", "most": resident}, "most_warps",
//                         "permille": {"least", "most"}, resident warps of the most, rounded, "registers_from": what
//                         says how many a thread has at most, "barriers": {"least", "most": named ones of a block},
//                         "limits": [{"name", "blocks": {"least", "most"}, or null where blocks take nothing of it}]}
//   "granted"             [names]: what --assume granted
//   "ladder"              ladder_json.hpp: the bound with more and more granted
//   "accesses"            [{"line": in "file", "source_file", "source_line": "" and 0 if unknown, "instruction",
//                         "object": parameter or variable that addresses are counted from, or null if it may be any
//                         memory, "object_bytes": its size or null, "form": of its addresses, or "", "span": {"first",
//                         "end": bytes of the object, none outside is touched} or null, "warp_lines", "block_lines",
//                         "grid_lines": lines of memory that are touched at most, or null, "dense": whether each line
//                         of the span is touched, about equally often, "pieces": of an execution, "aligned_pieces": the
//                         same where parameters point to multiples of 256 bytes, 0 if unknown, "executions": by one
//                         warp, or null, "cycles": of the bound, "dense_with": line of the first access that it is
//                         dense together with, its own if it is alone, null if it is not dense}] of instructions that
//                         access global memory, or may do so by a generic address
//   "listing"             [{"line", "function": whose section it is in, "offset": bytes from the begin of its section,
//   "instruction", "control": its stall
//                         count, scoreboards and waits in words, "source_file", "source_line": "" and 0 if unknown,
//                         "ptx_line": 0 if unknown, "executions", "cycles", "own", "others", "resource": as in
//                         "lines"}] of machine code, all of it; empty for PTX
//   "ptx"                 that the machine code that the kernel is of was made from, which explains and decides
//   nothing:
//                         {"kernel": as a kernel, or null, "errors": [...]: why it could not be bounded}; null if it is
//                         not at hand, and of PTX
//   "expected"            how long it probably takes (expected_json.hpp), an estimate; null of "ptx", and where no
//   bound
//                         of the pipeline model was asked for
//
//   "headlines"           {"usual", "nothing": {"assume": [names], "cycles", "picoseconds": or null}}: the bound with
//                         what is usual on the machine, null where its file backs nothing, and the one that holds
//                         whatever the device does
//   "advice"              [{"kind", "what": in words, "line": in "file", 0 if it is about the launch, "source_file",
//                         "source_line": "" and 0 if unknown, "cycles", "usual_cycles": what the bound and the one with
//                         what is usual become, or null}] of what would make it smaller, the largest gain first
//   "assumed"             {"count": of all assumptions, "identifiers": of those that have one}
//
// Behind "errors":
//   "warnings"            in the form of "errors"
//   "version"             of warpspan
//   "status"              as the exit status: "done", "wrong-use", "not-bounded" or "internal-error"
//   "bound"               {"cycles", "picoseconds"}: the largest bounds of the pipeline model over all kernels, times
//                         rounded up. Both are the text "unknown" unless the status is "done" and every kernel has one
//   "failed"              [{"file", "name": or null where no kernel could be told, "errors": [...]}]: what has no bound
//   "run"                 what 'warpspan rerun' repeats: {"command", "arguments": [...], "inputs": [{"file",
//                         "sha256"}], "machines": [{"name", "sha256": of what 'warpspan machines NAME --format toml'
//                         prints}], "assemblers": [{"command", "version": as it says itself}]}; null where the options
//                         could not be read
//
// An error: "file", "line", "column", "message", "help", "cause": "usage", "input" or "internal". Lines and columns
// count from 1; 0 where an error has no place in a file. "file" and "help" may be empty. A warning has the same keys.
#include "app/reports/analyze/advice_section.hpp"
#include "app/reports/analyze/analyze_formats.hpp"
#include "app/reports/analyze/assumed_json.hpp"
#include "app/reports/analyze/headlines.hpp"
#include "app/reports/analyze/ladder.hpp"
#include "app/reports/analyze/ladder_json.hpp"
#include "app/reports/analyze/lines_json.hpp"
#include "app/reports/exit_status.hpp"
#include "app/reports/expected_json.hpp"
#include "app/reports/json.hpp"
#include "app/reports/names.hpp"
#include "app/reports/residency_words.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

Json to_json(const timing::Span& span) { return {{"least", span.least}, {"most", span.most}}; }

Json launch_to_json(const KernelReport& kernel) {
  const timing::Load& load = kernel.analysis.load;
  const timing::Residency& resident = load.residency;
  return {{"block", extent_to_json(kernel.launch.block)},
          {"grid", extent_to_json(kernel.launch.grid)},
          {"warps", load.warps},
          {"warps_per_block", load.warps_per_block},
          {"blocks", load.blocks},
          {"device_warps", load.device_warps},
          {"block_from_file", kernel.block_from_file},
          {"device_blocks", load.device_blocks},
          {"residency",
           {{"least", resident.blocks.least},
            {"most", resident.blocks.most},
            {"least_limit", resident.least_limit},
            {"most_limit", resident.most_limit}}},
          {"registers", to_json(load.needs.registers)},
          {"shared_bytes", to_json(load.needs.shared_bytes)}};
}

Json occupancy_to_json(const KernelReport& kernel) {
  const timing::Load& load = kernel.analysis.load;
  const int64_t most_warps = kernel.machine.max_warps;
  const timing::Span warps = resident_warps(load.residency, load.warps_per_block);
  Json limits = Json::array();
  for (const timing::ResidencyLimit& limit : load.residency.limits) {
    limits.push_back({{"name", limit.name}, {"blocks", limit.limits() ? to_json(limit.blocks) : Json(nullptr)}});
  }
  return {{"blocks", to_json(load.residency.blocks)},
          {"warps", to_json(warps)},
          {"most_warps", most_warps},
          {"permille",
           to_json(timing::Span{share_of_warps(warps.least, most_warps), share_of_warps(warps.most, most_warps)})},
          {"registers_from", load.needs.registers_from},
          {"barriers", to_json(load.needs.barriers)},
          {"limits", limits}};
}

Json parts_to_json(const std::vector<solver::Part>& parts) {
  Json json = Json::array();
  for (const solver::Part& part : parts) {
    json.push_back({{"kind", solver::to_string(part.kind)},
                    {"name", part.name},
                    {"cycles", part.cycles},
                    {"count", part.workers},
                    {"demand", part.demand},
                    {"servers", part.servers}});
  }
  return json;
}

Json bounds_to_json(const std::vector<timing::ModelBound>& bounds, bool in_full) {
  Json json = Json::array();
  for (const auto& [model, bound] : bounds) {
    Json one = {{"model", model},
                {"method", bound.method},
                {"makespan", or_null(bound.makespan)},
                {"kind", solver::to_string(bound.kind)},
                {"safe", bound.safe}};
    if (in_full) one["assumptions"] = bound.assumptions;
    one["seconds"] = bound.seconds;
    one["status"] = solver::to_string(bound.status);
    one["remark"] = bound.remark;
    one["parts"] = parts_to_json(bound.parts);
    json.push_back(std::move(one));
  }
  return json;
}

Json resources_to_json(const std::vector<solver::Resource>& resources) {
  Json json = Json::array();
  for (const solver::Resource& resource : resources) {
    json.push_back({{"name", resource.name},
                    {"servers", resource.servers},
                    {"warps", resource.workers},
                    {"demand", resource.demand}});
  }
  return json;
}

Json fetch_to_json(const timing::Analysis& analysis) {
  if (!analysis.fetch) return nullptr;
  const timing::FetchCost& fetch = *analysis.fetch;
  Json misses = Json::object();
  for (const timing::FetchLevel& level : fetch.levels) {
    misses[level.cache] = {{"fits", level.fits}, {"once", level.once}, {"each_warp", level.each}};
  }
  return {{"bytes", fetch.bytes},
          {"lines", fetch.lines},
          {"misses", misses},
          {"cycles", {{"once", fetch.once}, {"each_warp", fetch.each}}}};
}

Json clock_readings_to_json(const std::vector<timing::ClockReading>& readings) {
  Json json = Json::array();
  for (const timing::ClockReading& reading : readings) {
    json.push_back({{"first_line", reading.first_line},
                    {"second_line", reading.second_line},
                    {"best", reading.best},
                    {"average", reading.average},
                    {"worst", reading.worst}});
  }
  return json;
}

Json transactions_to_json(const std::optional<std::vector<SpaceTransactions>>& transactions) {
  if (!transactions) return nullptr;
  Json json = Json::object();
  for (const SpaceTransactions& entry : *transactions) json[std::string(to_string(entry.space))] = entry.count;
  return json;
}

Json costs_to_json(const KernelReport& kernel) {
  Json json = Json::array();
  for (size_t i = 0; i < kernel.instructions.size(); ++i) {
    const timing::InstructionCost& cost = kernel.analysis.costs[i];
    Json entry = {{"line", kernel.instructions[i].line}, {"instruction", kernel.instructions[i].operation}};
    add_cost(entry, cost);
    json.push_back(std::move(entry));
  }
  return json;
}

Json accesses_to_json(const std::vector<MemoryAccess>& accesses) {
  Json json = Json::array();
  for (const MemoryAccess& access : accesses) {
    const ir::Access& where = access.where;
    const Json span = where.span ? Json{{"first", where.span->first}, {"end", where.span->end}} : Json(nullptr);
    json.push_back({{"line", access.line},
                    {"source_file", access.source_file},
                    {"source_line", access.source_line},
                    {"instruction", access.instruction},
                    {"object", access.object.empty() ? Json(nullptr) : Json(access.object)},
                    {"object_bytes", or_null(access.object_bytes)},
                    {"form", where.form},
                    {"span", span},
                    {"warp_lines", or_null(where.warp_lines)},
                    {"block_lines", or_null(where.block_lines)},
                    {"grid_lines", or_null(where.grid_lines)},
                    {"dense", where.dense},
                    {"pieces", access.pieces},
                    {"aligned_pieces", where.aligned_transactions},
                    {"executions", or_null(access.executions)},
                    {"cycles", access.cycles},
                    {"dense_with", where.dense ? Json(access.dense_with_line) : Json(nullptr)}});
  }
  return json;
}

Json listing_to_json(const std::vector<ListedCost>& listing) {
  Json json = Json::array();
  for (const ListedCost& cost : listing) {
    const ir::ListedInstruction& instruction = cost.instruction;
    Json entry = {{"line", instruction.line},
                  {"function", instruction.function},
                  {"offset", instruction.offset},
                  {"instruction", instruction.text},
                  {"control", instruction.control},
                  {"source_file", instruction.source_file},
                  {"source_line", instruction.source_line},
                  {"ptx_line", instruction.ptx_line}};
    add_cost(entry, cost);
    json.push_back(std::move(entry));
  }
  return json;
}

Json kernel_to_json(const KernelReport& kernel, bool in_full);

Json ptx_to_json(const KernelReport& kernel) {
  if (kernel.ptx.empty() && kernel.ptx_errors.empty()) return nullptr;
  return {{"kernel", kernel.ptx.empty() ? Json(nullptr) : kernel_to_json(kernel.ptx.front(), true)},
          {"errors", errors_to_json(kernel.ptx_errors)}};
}

Json kernel_to_json(const KernelReport& kernel, bool in_full) {
  const timing::Analysis& analysis = kernel.analysis;
  Json json = {{"file", kernel.file},
               {"name", kernel.name},
               {"machine", kernel.machine.name},
               {"launch", launch_to_json(kernel)},
               {"instructions", by_unit(analysis.instructions)}};
  if (in_full) json["string"] = ir::to_string(analysis.string);
  json["raw_edges"] = analysis.raw_edges;
  json["loops"] = loops_to_json(kernel.loops);
  json["single_warp"] = {{"best", analysis.best}, {"average", analysis.average}, {"worst", analysis.worst}};
  json["bounds"] = bounds_to_json(analysis.bounds, in_full);
  json["witness"] = or_null(analysis.witness);
  if (in_full)
    json["transformed"] =
        Json({{"string", ir::to_string(analysis.transformed)}, {"servers", by_unit(analysis.servers)}});
  json["only_one_string"] = analysis.only_one_string;
  if (in_full) json["resources"] = resources_to_json(analysis.resources);
  json["clock_readings"] = clock_readings_to_json(analysis.clock_readings);
  json["assumed_figures"] = analysis.assumed_figures;
  json["clock_khz"] = kernel.machine.clock_khz;
  json["any_dispatcher"] = or_null(analysis.any_dispatcher);
  json["fetch"] = fetch_to_json(analysis);
  if (in_full) json["lines"] = lines_to_json(kernel.lines);
  if (in_full) json["costs"] = costs_to_json(kernel);
  json["transactions"] = transactions_to_json(kernel.transactions);
  json["demangled"] = support::demangled(kernel.name);
  json["occupancy"] = occupancy_to_json(kernel);
  json["granted"] = names_of(kernel.assumed);
  if (in_full) json["ladder"] = ladder_to_json(analysis);
  if (in_full) json["accesses"] = accesses_to_json(kernel.accesses);
  if (in_full) json["listing"] = listing_to_json(kernel.listing);
  if (in_full) json["ptx"] = ptx_to_json(kernel);
  json["expected"] = expected_to_json(kernel.expected, kernel.machine.clock_khz);
  json["headlines"] = headlines_to_json(kernel);
  json["advice"] = advice_to_json(kernel);
  json["assumed"] = assumed_to_json(kernel);
  return json;
}

Json bound_to_json(const AnalyzeReport& report) {
  const auto largest = largest_bound(report);
  using Value = std::optional<int64_t>;
  return {{"cycles", or_unknown(largest ? Value(largest->cycles) : std::nullopt)},
          {"picoseconds", or_unknown(largest ? Value(largest->picoseconds) : std::nullopt)}};
}

Json failed_to_json(const std::vector<FailedKernel>& failed) {
  Json json = Json::array();
  for (const FailedKernel& kernel : failed) {
    json.push_back({{"file", kernel.file},
                    {"name", kernel.name.empty() ? Json(nullptr) : Json(kernel.name)},
                    {"errors", errors_to_json(kernel.errors)}});
  }
  return json;
}

}  // namespace

LongText to_long_json(const AnalyzeReport& report, const TextStyle& style) {
  JsonDocument document;
  document.add("schema", "warpspan.analyze/2");
  document.add_list("kernels", report.kernels,
                    [&style](const KernelReport& kernel) { return kernel_to_json(kernel, style.explain); });
  document.add("errors", errors_to_json(report.errors));
  document.add("warnings", warnings_to_json(report.errors));
  document.add("version", program_version());
  document.add("status", to_string(exit_status(report.errors)));
  document.add("bound", bound_to_json(report));
  document.add("failed", failed_to_json(report.failed));
  document.add("run", run_to_json(report.run));
  return document.take();
}

std::string to_json(const AnalyzeReport& report, const TextStyle& style) { return to_long_json(report, style).str(); }

}  // namespace warpspan::app
