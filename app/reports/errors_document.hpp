// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON of a run that has no report of its own.
#pragma once

#include <string>

#include "support/diagnostic.hpp"

namespace warpspan::app {

// {"schema": "warpspan.errors/1", "version", "status", "errors": as in analyze_json.cpp}.
std::string errors_document(const support::Diagnostics& errors);

// The JSON of a report that has errors only.
template <typename Report>
std::string report_of_errors(const support::Diagnostics& errors) {
  Report report;
  report.errors = errors;
  return to_json(report);
}

}  // namespace warpspan::app
