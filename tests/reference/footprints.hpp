// SPDX-License-Identifier: GPL-3.0-or-later
// Where the accesses of an executed kernel went, against what Flow::accesses says.
#pragma once

#include <cstdint>
#include <string>

#include "tests/reference/access_findings.hpp"
#include "tests/reference/comparison.hpp"

namespace warpspan::reference {

struct FootprintCheck : AccessFindings {
  std::string reason;  // why nothing was compared; empty if it was
};

// Executes all blocks of the grid, pointers beginning anywhere that accesses allow, and where `aligned` at multiples of
// 256.
FootprintCheck check_footprints(Experiment experiment, uint64_t seed, bool aligned);

// footprints_family.cpp
Experiment footprint_experiment(uint64_t seed);

}  // namespace warpspan::reference
