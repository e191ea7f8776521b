// SPDX-License-Identifier: GPL-3.0-or-later
// {"schema": "warpspan.string/1", "kernels": [{"file", "name", "string", "instructions": {"L", "C", "S"},
// "only_one_string", "assumptions": what the user said that is not proven}], "errors": [...], "warnings": [...]}; keys,
// errors and warnings as in analyze_json.cpp.
#include "app/reports/json.hpp"
#include "app/reports/string_formats.hpp"

namespace warpspan::app {

std::string to_json(const StringReport& report, const TextStyle&) {
  Json list = Json::array();
  for (const KernelString& kernel : report.kernels) {
    list.push_back({{"file", kernel.file},
                    {"name", kernel.name},
                    {"string", kernel.string},
                    {"instructions", by_unit(kernel.instructions)},
                    {"only_one_string", kernel.only_one},
                    {"assumptions", kernel.assumptions}});
  }
  return dump({{"schema", "warpspan.string/1"},
               {"kernels", list},
               {"errors", errors_to_json(report.errors)},
               {"warnings", warnings_to_json(report.errors)}});
}

}  // namespace warpspan::app
