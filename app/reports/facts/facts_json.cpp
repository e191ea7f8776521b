// SPDX-License-Identifier: GPL-3.0-or-later
// {"schema": "warpspan.facts-report/1", "kernels": [...], "errors": [...], "warnings": [...]}; keys, errors and
// warnings as in analyze_json.cpp.
//
// A kernel:
//   "file", "name", "demangled"
//   "sha256"              fingerprint of its code, as a file of facts has it
//   "instructions"        as written, of the kernel and of the functions that it can call
//   "parameters"          [{"name", "type", "bytes", "source_name": as debug information has it, else ""}]
//   "arguments"           [{"place": "n" or "s+8:4", "value"}] that were given
//   "globals"             [{"place": "N", "table[3]" or "table+12:4", "value"}] that were given for variables
//   "external_functions"  that it can call and that have no body in the file, but for reports of failed assertions
//   "calls"               [{"function", "time": "20us", or null where none was given}] of the same
//   "recursion"           [{"function", "depth": 12, or null where one is needed}] of recursive functions
//   "loops"               as in analyze_json.cpp, each with "tests_last": whether it is left only where an
//                         iteration ends, so that its header runs once in each, "exit_test": why there is no bound, and
//                         "remedies": options that would make one known; null if the control flow could not be read
#include "app/facts/fact_kind.hpp"
#include "app/reports/facts/facts_formats.hpp"
#include "app/reports/json.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

Json parameters_to_json(const ir::KernelCode& code) {
  Json json = Json::array();
  for (size_t i = 0; i < code.parameters.size(); ++i) {
    const ir::KernelParameter& parameter = code.parameters[i];
    json.push_back({{"name", parameter.name},
                    {"type", parameter.type},
                    {"bytes", parameter.bytes},
                    {"source_name", code.names == nullptr ? "" : code.names->parameters[i].source}});
  }
  return json;
}

Json unbounded_to_json(const std::vector<ir::Loop>& loops) {
  Json json = loops_to_json(loops);
  for (size_t i = 0; i < loops.size(); ++i) {
    json[i]["tests_last"] = loops[i].tests_last;
    json[i]["exit_test"] = loops[i].obstacle;
    json[i]["remedies"] = loops[i].remedies;
  }
  return json;
}

}  // namespace

std::string to_json(const FactsReport& report, const TextStyle&) {
  Json kernels = Json::array();
  for (const KernelFactsReport& kernel : report.kernels) {
    const ir::KernelCode& code = kernel.code;
    kernels.push_back({{"file", kernel.file},
                       {"name", code.name},
                       {"demangled", support::demangled(code.name)},
                       {"sha256", code.sha256},
                       {"instructions", code.instructions},
                       {"parameters", parameters_to_json(code)}});
    for (const FactKind& kind : fact_kinds()) {
      if (kind.write_json != nullptr) kind.write_json(code, report.given, kernels.back());
    }
    kernels.back()["loops"] = code.loops ? unbounded_to_json(*code.loops) : Json(nullptr);
  }
  return dump({{"schema", "warpspan.facts-report/1"},
               {"kernels", kernels},
               {"errors", errors_to_json(report.errors)},
               {"warnings", warnings_to_json(report.errors)}});
}

}  // namespace warpspan::app
