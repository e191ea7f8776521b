// SPDX-License-Identifier: GPL-3.0-or-later
// Reports of 'warpspan analyze --explain --format json' that were kept, as sides of a comparison.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/reports/analyze/kernel_figures.hpp"
#include "app/reports/run_record.hpp"
#include "support/result.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

struct SavedReport {
  std::vector<KernelFigures> kernels;
  support::Diagnostics errors;                    // of the run that made it: what it could not bound
  std::optional<std::vector<std::string>> words;  // that the run was given (RunRecord::arguments)
  std::vector<Hashed> machines;                   // as RunRecord has them
};

// Reads a document of schema warpspan.analyze/2 in full (--explain), or /1, of this version or another: members that
// are not used may be there or not, as later versions add some; what an older one does not have is not known. Errors:
// no JSON, another schema, a member of a wrong type or range, a kernel without a safe bound of the pipeline model, a
// report in short.
support::Result<SavedReport> read_saved_report(const support::SourceFile& file);

}  // namespace warpspan::app
