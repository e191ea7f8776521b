// SPDX-License-Identifier: GPL-3.0-or-later
// Which registers, and which blocks of code, depend on values that were loaded from memory or came from other lanes.
#pragma once

#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"

namespace warpspan::timing {

struct LoadedValues {
  std::vector<bool> registers;  // may hold one, or what was computed of it, or what such a branch decides
  std::vector<bool> blocks;     // such a branch decides whether a warp comes there
};

// Of whatever was written anywhere in the kernel, in any order.
LoadedValues loaded_values(const ir::Kernel& kernel, const ir::Flow& flow);

}  // namespace warpspan::timing
