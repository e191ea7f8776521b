// warpspan analyze: the bounds of every kernel of the files.
#pragma once

#include "app/cli/options.hpp"
#include "app/cli/output.hpp"
#include "app/reports/analyze_report.hpp"

namespace warpspan::app {

// Reads and bounds the kernels. A file or kernel with an error does not keep the others from being reported.
AnalyzeReport bound_kernels(const AnalyzeOptions& options);

// The report in the form that the options ask for; colour: of the text form.
Outcome analyze(const AnalyzeOptions& options, bool colour);

}  // namespace warpspan::app
