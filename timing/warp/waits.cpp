// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/warp/waits.hpp"

#include <algorithm>

#include "ir/sync_points.hpp"

namespace warpspan::timing {

// __syncthreads and fences order memory accesses; the others end what was begun asynchronously. A copy by threads is a
// request like a load. A bulk copy must not overtake what the warp has asked for before (one_warp.cpp). To close a
// group of copies takes no time. What a warp group multiplies goes on while its warps do.
bool waits_for_memory(const ir::Operation& operation) {
  return ir::traits(operation.kind).waits_for_memory && !ir::is_async_copy(operation) &&
         operation.facts.synchronisation != ir::Synchronisation::commit && !ir::multiplies_by_group(operation);
}

bool depends_on_launches(const ir::Kernel& kernel) {
  using enum ir::Synchronisation;
  return std::any_of(kernel.operations.begin(), kernel.operations.end(), [](const ir::Operation& operation) {
    return operation.facts.synchronisation == await_launches || operation.facts.synchronisation == allow_launches;
  });
}

}  // namespace warpspan::timing
