// SPDX-License-Identifier: GPL-3.0-or-later
// {"schema": "warpspan.list/1", "images": [...], "errors": [...], "warnings": [...], "version", "status"}; errors,
// warnings and status as in analyze_json.cpp. An image:
//   "file"          as given; "<stdin>" for standard input
//   "member"        of a static library; "" where there is none
//   "part"          of the member, or the file: 2 of what reports name "k.so#2"; 0 where there is one only
//   "kind"          "cubin", "PTX", "LTO-IR" or "unknown"
//   "architecture"  "sm_80"
//   "bytes"         of the image, decompressed
//   "functions"     [{"name", "demangled", "kernel": false for what only others call,
//                   "registers", "stack_bytes", "parameter_bytes": of a thread, all it calls included for the stack,
//                   "shared_bytes": of a block, static, as the assembler reports it, "code_bytes": with padding,
//                   "required_block", "largest_block": [x, y, z]}], null where the image does not state it
#include "app/reports/exit_status.hpp"
#include "app/reports/json.hpp"
#include "app/reports/list/list_formats.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

Json to_json(const ListedFunction& function) {
  return {{"name", function.name},
          {"demangled", support::demangled(function.name)},
          {"kernel", function.entry},
          {"registers", or_null(function.registers)},
          {"stack_bytes", or_null(function.stack_bytes)},
          {"parameter_bytes", or_null(function.parameter_bytes)},
          {"shared_bytes", or_null(function.shared_bytes)},
          {"code_bytes", or_null(function.code_bytes)},
          {"required_block", extent_to_json(function.required_block)},
          {"largest_block", extent_to_json(function.largest_block)}};
}

Json to_json(const ListedImage& image) {
  Json functions = Json::array();
  for (const ListedFunction& function : image.functions) functions.push_back(to_json(function));
  return {{"file", image.file},
          {"member", image.member},
          {"part", image.part},
          {"kind", image.kind},
          {"architecture", image.architecture},
          {"bytes", image.bytes},
          {"functions", functions}};
}

}  // namespace

std::string to_json(const ListReport& report, const TextStyle&) {
  Json images = Json::array();
  for (const ListedImage& image : report.images) images.push_back(to_json(image));
  return dump({{"schema", "warpspan.list/1"},
               {"images", images},
               {"errors", errors_to_json(report.errors)},
               {"warnings", warnings_to_json(report.errors)},
               {"version", program_version()},
               {"status", to_string(exit_status(report.errors))}});
}

}  // namespace warpspan::app
