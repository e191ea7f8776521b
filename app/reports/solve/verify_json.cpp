// SPDX-License-Identifier: GPL-3.0-or-later
// {"schema": "warpspan.verify/1", "file", "valid", "string", "sigma": {"L", "C", "S"}, "line": as in solve_json.cpp or
// null, "warps": asked for or null, "makespan": the bound for them or null, "errors": as in analyze_json.cpp}. "string"
// and "sigma" are null if the file could not be read.
#include "app/reports/json.hpp"
#include "app/reports/solve/verify_formats.hpp"

namespace warpspan::app {

namespace {

Json sigma_of(const solver::Certificate& certificate) {
  Json json = Json::object();
  for (size_t k = 0; k < certificate.servers.size(); ++k) {
    json[std::string(1, ir::symbol(static_cast<ir::UnitClass>(k)))] = certificate.servers[k];
  }
  return json;
}

}  // namespace

std::string to_json(const VerifyReport& report, const TextStyle&) {
  const auto& certificate = report.certificate;
  return dump({{"schema", "warpspan.verify/1"},
               {"file", report.file},
               {"valid", report.line.has_value()},
               {"string", certificate ? Json(report.string) : Json(nullptr)},
               {"sigma", certificate ? sigma_of(*certificate) : Json(nullptr)},
               {"line", line_to_json(report.line)},
               {"warps", or_null(report.warps)},
               {"makespan", or_null(report.makespan)},
               {"errors", errors_to_json(report.errors)}});
}

}  // namespace warpspan::app
