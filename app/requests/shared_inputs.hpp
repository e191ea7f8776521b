// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs that several parts of a run have read.
#pragma once

#include <vector>

#include "app/reports/run_record.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::app {

// An error (usage) for each file or machine that was not the same for all parts.
support::Diagnostics differing_inputs(const std::vector<RunRecord>& parts);

}  // namespace warpspan::app
