// SPDX-License-Identifier: GPL-3.0-or-later
// Where accesses to global memory went, against what Flow::accesses says of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "frontend/frontend.hpp"
#include "tests/reference/interpreter/interpreter.hpp"

namespace warpspan::reference {

// Of accesses to global memory that are described and were executed.
struct AccessFindings {
  std::vector<std::string> violations;
  int accesses = 0;
  int with_span = 0;
  int with_lines = 0;    // of a warp, a block and the grid
  int with_sharers = 0;  // warps, and blocks, outside of loops
  int walks = 0;         // accesses that threads make several times
  int together = 0;      // of accesses whose lines of a block are counted together, several of them
  int dense = 0;         // of those that were looked at, the whole grid being executed
};

struct ExecutedAccess {
  std::vector<const AccessPlace*> places;  // of one sequence, in its order; none: it was not executed
  bool is_atomic = false;
};

struct ExecutedAccesses {
  std::map<ir::InstructionId, ExecutedAccess> by_instruction;  // all of which it is known where they went
  std::map<std::string, uint64_t> begins;                      // of objects, by the names that the analysis gives them
  bool aligned = false;                                        // all of them are multiples of 256
  bool all_blocks = false;                                     // have been executed, to their ends
};

// Adds to the findings.
void compare_accesses(const frontend::AnalyzedKernel& analyzed, const ExecutedAccesses& executed,
                      AccessFindings& findings);

}  // namespace warpspan::reference
