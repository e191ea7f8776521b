// SPDX-License-Identifier: GPL-3.0-or-later
// {"schema": "warpspan.occupancy/1", "kernels": [...], "errors": [...], "warnings": [...], "version", "status"};
// errors, warnings and status as in analyze_json.cpp. A kernel:
//   "file", "name", "demangled"  empty where numbers alone were given
//   "machine"          name of the machine model
//   "block"            [x, y, z], or null where only block sizes were asked for: then "blocks", "warps", "permille",
//                      "least_limit" and "most_limit" are null, too, and "limits" and "steps" are empty
//   "block_from_file"  whether it is the file's .reqntid or .maxntid
//   "warps_per_block"  0 without a block
//   "registers"        {"least", "most": of a thread}
//   "registers_from"   where the most is from: "--registers", the name of a log, ".maxnreg", ...
//   "shared_bytes"     {"least", "most": of a block}, without what the machine reserves
//   "barriers"         {"least", "most": named ones of a block}
//   "blocks", "warps"  {"least", "most": resident on a multiprocessor}
//   "most_warps"       of a multiprocessor
//   "permille"         {"least", "most"}: resident warps of the most, rounded
//   "least_limit", "most_limit"  "warps", "blocks", "registers", "shared memory" or "barriers"
//   "limits"           [{"name", "blocks": {"least", "most"}, or null where blocks take nothing of it}]
//   "steps"            [{"registers", "shared_bytes", "threads": null where they may stay, "blocks", "warps"}]: what
//                      makes more warps resident
//   "block_sizes"      [{"threads", "blocks", "warps", "permille": {"least", "most"}, "limit": "" where such a block
//   does
//                      not fit}], if asked for
//   "assumptions"      sentences
#include "app/reports/exit_status.hpp"
#include "app/reports/json.hpp"
#include "app/reports/occupancy/occupancy_formats.hpp"
#include "app/reports/residency_words.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

Json to_json(const timing::Span& span) { return {{"least", span.least}, {"most", span.most}}; }

Json shares(const timing::Span& warps, int64_t most_warps) {
  return to_json(timing::Span{share_of_warps(warps.least, most_warps), share_of_warps(warps.most, most_warps)});
}

Json steps_to_json(const std::vector<OccupancyStep>& steps) {
  Json json = Json::array();
  for (const OccupancyStep& step : steps) {
    json.push_back({{"registers", or_null(step.registers)},
                    {"shared_bytes", or_null(step.shared_bytes)},
                    {"threads", or_null(step.threads)},
                    {"blocks", step.blocks},
                    {"warps", step.warps}});
  }
  return json;
}

Json sizes_to_json(const KernelOccupancy& kernel) {
  Json json = Json::array();
  for (const BlockSize& size : kernel.block_sizes) {
    const timing::Span none;
    const timing::Span warps = size.residency ? resident_warps(*size.residency, size.warps) : none;
    json.push_back({{"threads", size.threads},
                    {"blocks", to_json(size.residency ? size.residency->blocks : none)},
                    {"warps", to_json(warps)},
                    {"permille", shares(warps, kernel.most_warps)},
                    {"limit", size.residency ? size.residency->least_limit : ""}});
  }
  return json;
}

Json kernel_to_json(const KernelOccupancy& kernel) {
  const timing::Residency& resident = kernel.residency;
  const bool known = kernel.block.has_value();
  const timing::Span warps = resident_warps(resident, kernel.warps_per_block);
  Json limits = Json::array();
  for (const timing::ResidencyLimit& limit : resident.limits) {
    if (known) limits.push_back({{"name", limit.name}, {"blocks", limit.limits() ? to_json(limit.blocks) : Json()}});
  }
  return {{"file", kernel.file},
          {"name", kernel.name},
          {"demangled", support::demangled(kernel.name)},
          {"machine", kernel.machine},
          {"block", known ? Json::array({kernel.block->x, kernel.block->y, kernel.block->z}) : Json()},
          {"block_from_file", kernel.block_from_file},
          {"warps_per_block", kernel.warps_per_block},
          {"registers", to_json(kernel.needs.registers)},
          {"registers_from", kernel.needs.registers_from},
          {"shared_bytes", to_json(kernel.needs.shared_bytes)},
          {"barriers", to_json(kernel.needs.barriers)},
          {"blocks", known ? to_json(resident.blocks) : Json()},
          {"warps", known ? to_json(warps) : Json()},
          {"most_warps", kernel.most_warps},
          {"permille", known ? shares(warps, kernel.most_warps) : Json()},
          {"least_limit", known ? Json(resident.least_limit) : Json()},
          {"most_limit", known ? Json(resident.most_limit) : Json()},
          {"limits", limits},
          {"steps", steps_to_json(kernel.steps)},
          {"block_sizes", sizes_to_json(kernel)},
          {"assumptions", kernel.assumptions}};
}

}  // namespace

std::string to_json(const OccupancyReport& report, const TextStyle&) {
  Json kernels = Json::array();
  for (const KernelOccupancy& kernel : report.kernels) kernels.push_back(kernel_to_json(kernel));
  return dump({{"schema", "warpspan.occupancy/1"},
               {"kernels", kernels},
               {"errors", errors_to_json(report.errors)},
               {"warnings", warnings_to_json(report.errors)},
               {"version", program_version()},
               {"status", to_string(exit_status(report.errors))}});
}

}  // namespace warpspan::app
