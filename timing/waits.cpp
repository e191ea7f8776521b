#include "timing/waits.hpp"

#include <algorithm>

namespace warpspan::timing {

bool waits_for_warps(ir::OperationKind kind) {
  using enum ir::OperationKind;
  return kind == barrier || kind == cluster_barrier || kind == mbarrier;
}

bool waits_for_warps(const ir::Kernel& kernel) {
  return std::any_of(kernel.operations.begin(), kernel.operations.end(),
                     [](const ir::Operation& operation) { return waits_for_warps(operation.kind); });
}

// __syncthreads and fences order memory accesses; the others end what was begun asynchronously.
bool waits_for_memory(ir::OperationKind kind) {
  using enum ir::OperationKind;
  switch (kind) {
    case barrier:
    case cluster_barrier:
    case fence:
    case mbarrier:
    case copy_async:
    case copy_bulk:
    case matrix_group: return true;
    default: return false;
  }
}

}  // namespace warpspan::timing
