// SPDX-License-Identifier: GPL-3.0-or-later
// What is said where a run of a kernel goes beyond what its analysis proves.
#pragma once

#include <string>
#include <vector>

#include "frontend/frontend.hpp"
#include "ir/execution/contradictions.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::app {

// Where it is what a user stated, of a loop or of the size of an array, that statement is wrong: a usage error. All
// else is a defect of ours. command: for a report of it.
support::Diagnostics contradiction_errors(const frontend::AnalyzedKernel& analyzed,
                                          const std::vector<ir::Contradiction>& contradictions,
                                          const std::string& command);

}  // namespace warpspan::app
