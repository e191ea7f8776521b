#include "timing/waits.hpp"

namespace warpspan::timing {

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
