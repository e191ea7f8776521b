// warpspan verify: checks a certificate without any of the code that finds one.
//
// JSON: {"schema": "warpspan.verify/1", "file", "valid", "string", "sigma": {"L", "C", "S"}, "line": as in
// solve_json.hpp or null, "warps": asked for or null, "makespan": the bound for them or null, "errors": as in
// report_json.hpp}. "string" and "sigma" are null if the file could not be read.
#pragma once

#include "app/cli/options.hpp"
#include "app/cli/output.hpp"

namespace warpspan::app {

Outcome verify(const VerifyOptions& options);

}  // namespace warpspan::app
