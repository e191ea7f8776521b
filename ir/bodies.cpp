// SPDX-License-Identifier: GPL-3.0-or-later
#include "ir/bodies.hpp"

namespace warpspan::ir {

std::vector<FunctionId> bodies(const Kernel& kernel) {
  std::vector<FunctionId> body_of(kernel.blocks.size(), no_function);
  for (FunctionId f = 0; f < kernel.functions.size(); ++f) {
    std::vector<BlockId> open = {kernel.functions[f].entry};
    while (!open.empty()) {
      const BlockId block = open.back();
      open.pop_back();
      if (body_of[block] == f) continue;
      body_of[block] = f;
      open.insert(open.end(), kernel.blocks[block].successors.begin(), kernel.blocks[block].successors.end());
    }
  }
  return body_of;
}

}  // namespace warpspan::ir
