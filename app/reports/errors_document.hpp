// The JSON of a run that has no report of its own.
#pragma once

#include <string>

#include "support/diagnostic.hpp"

namespace warpspan::app {

// {"schema": "warpspan.errors/1", "version", "status", "errors": as in analyze_json.cpp}.
std::string errors_document(const support::Diagnostics& errors);

}  // namespace warpspan::app
