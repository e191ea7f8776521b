// SPDX-License-Identifier: GPL-3.0-or-later
// A JSON report read back, as far as repeating its run needs it.
#pragma once

#include <string>

#include "app/reports/run_record.hpp"
#include "support/result.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

struct RecordedRun {
  std::string version;  // of the warpspan that wrote it
  RunRecord run;
};

// Errors: what parse_json refuses; a document that is no report with a "run" (run_to_json), which is read strictly.
support::Result<RecordedRun> read_recorded_run(const support::SourceFile& report);

// Nothing if both texts, JSON, say the same; else the place of the first difference, such as "/kernels/0/raw_edges".
// With `seconds_aside`, "seconds" may differ.
std::string first_difference(const std::string& a, const std::string& b, bool seconds_aside);

// The document `made` with the "seconds" of `recorded`, which differs from it in nothing else.
std::string with_seconds_of(const std::string& recorded, const std::string& made);

}  // namespace warpspan::app
