// Where the accesses of an executed kernel went, against what Flow::accesses says.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/reference/comparison.hpp"

namespace warpspan::reference {

struct FootprintCheck {
  std::string reason;  // why nothing was compared; empty if it was
  std::vector<std::string> violations;
  // Of instructions that access global memory and were executed.
  int accesses = 0;
  int with_span = 0;
  int with_lines = 0;  // of a warp, a block and the grid
  int dense = 0;       // all blocks were executed, so that this was looked at
};

// Executes all blocks of the grid, pointers beginning anywhere that accesses allow, and where `aligned` at multiples of
// 256.
FootprintCheck check_footprints(Experiment experiment, uint64_t seed, bool aligned);

// footprints_family.cpp
Experiment footprint_experiment(uint64_t seed);

}  // namespace warpspan::reference
