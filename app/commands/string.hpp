// warpspan string: the instruction string of every kernel of the files.
//
// Text: one line a kernel, "saxpy: C(L2C)^64L"; with several files "a.ptx:saxpy: C(L2C)^64L". A kernel whose warps may
// execute other strings too is given by its longest.
// JSON: {"schema": "warpspan.string/1", "kernels": [{"file", "name", "string", "instructions": {"L", "C", "S"},
// "only_one_string"}], "errors": [...]}; keys and errors as in report_json.hpp.
#pragma once

#include "app/cli/options.hpp"
#include "app/cli/output.hpp"

namespace warpspan::app {

Outcome strings(const StringOptions& options);

}  // namespace warpspan::app
