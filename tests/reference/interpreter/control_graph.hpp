// SPDX-License-Identifier: GPL-3.0-or-later
// Post-dominators and loops of a program, instruction by instruction, by the textbook's data-flow equations.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/reference/interpreter/program.hpp"

namespace warpspan::reference {

struct NaturalLoop {
  uint32_t header = 0;
  std::vector<bool> body;  // by step
};

struct ControlGraph {
  // Of each step, the first one that all ways from it to the end pass; steps.size() is the end itself.
  std::vector<uint32_t> post_dominator;
  // Loops with one entry, those with the same header taken together; of steps that can be reached.
  std::vector<NaturalLoop> loops;
};

// The steps that may come after each; the last one is the end and has none.
using Edges = std::vector<std::vector<uint32_t>>;

ControlGraph control_graph(const Edges& successors);
ControlGraph control_graph(const Program& program);

}  // namespace warpspan::reference
