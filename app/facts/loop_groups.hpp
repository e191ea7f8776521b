// SPDX-License-Identifier: GPL-3.0-or-later
// Which loops of a kernel have one entry in a file of facts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/flow.hpp"

namespace warpspan::app {

// Loops that one entry of a file of facts is for: those of one source line, or of one label.
struct LoopGroup {
  std::string place;                   // as such a file names them: "kernel.cu:42", "$L__BB0_2", "line:63"
  std::vector<const ir::Loop*> loops;  // in the order of the kernel
  // The bound that was given for all of them that have none proven; 0 if there is none.
  int64_t given = 0;
  bool has_bounds = false;  // each has a proven one: nothing is to be given
  bool may_follow = false;  // each of the others depends on parameters and the grid alone
};

// All loops of the kernel, each in one group; those that were given different bounds are not in one.
std::vector<LoopGroup> loop_groups(const std::vector<ir::Loop>& loops);

}  // namespace warpspan::app
