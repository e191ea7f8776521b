#include "timing/warp/waits.hpp"

namespace warpspan::timing {

// __syncthreads and fences order memory accesses; the others end what was begun asynchronously. A copy by threads is a
// request like a load. A bulk copy must not overtake what the warp has asked for before (one_warp.cpp). To close a
// group of copies takes no time.
bool waits_for_memory(const ir::Operation& operation) {
  return ir::traits(operation.kind).waits_for_memory && !ir::is_async_copy(operation) &&
         operation.facts.synchronisation != ir::Synchronisation::commit;
}

}  // namespace warpspan::timing
