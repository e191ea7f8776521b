#include "timing/waits.hpp"

namespace warpspan::timing {

// __syncthreads and fences order memory accesses; the others end what was begun asynchronously. A bulk copy must not
// overtake what the warp has asked for before (one_warp.cpp); to close a group of them takes no time.
bool waits_for_memory(const ir::Operation& operation) {
  using enum ir::OperationKind;
  switch (operation.kind) {
    case barrier:
    case cluster_barrier:
    case fence:
    case mbarrier:
    case copy_async:
    case matrix_group: return true;
    case copy_bulk: return !operation.key.opcode.ends_with(".commit_group");
    default: return false;
  }
}

}  // namespace warpspan::timing
