#include "timing/warp/waits.hpp"

namespace warpspan::timing {

// __syncthreads and fences order memory accesses; the others end what was begun asynchronously. A copy by threads is a
// request like a load. A bulk copy must not overtake what the warp has asked for before (one_warp.cpp). To close a
// group of copies takes no time.
bool waits_for_memory(const ir::Operation& operation) {
  using enum ir::OperationKind;
  switch (operation.kind) {
    case barrier:
    case cluster_barrier:
    case fence:
    case mbarrier:
    case matrix_group: return true;
    case copy_async: return !ir::is_async_copy(operation) && operation.key.opcode != "cp.async.commit_group";
    case copy_bulk: return !operation.key.opcode.ends_with(".commit_group");
    default: return false;
  }
}

}  // namespace warpspan::timing
