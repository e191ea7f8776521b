// SPDX-License-Identifier: GPL-3.0-or-later
// Where accesses of machine code to global memory went, against Flow::accesses.
#pragma once

#include "frontend/frontend.hpp"
#include "tests/machine_code/facts.hpp"

namespace warpspan::machine_code {

// Adds to the check what it finds.
void check_footprints(const frontend::AnalyzedKernel& analyzed, const FactsSubject& subject, const Record& record,
                      FactsCheck& check);

}  // namespace warpspan::machine_code
