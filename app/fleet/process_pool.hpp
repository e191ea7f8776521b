// SPDX-License-Identifier: GPL-3.0-or-later
// Many pieces of work side by side, in forked copies of this process: what one of them does to its memory, or to what
// the whole program shares, is of no concern to the others.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace warpspan::app {

struct PoolLimits {
  size_t processes = 1;                       // at the same time
  int64_t memory = 0;                         // bytes for all processes together, beyond what this one has
  const std::atomic<bool>* cancel = nullptr;  // ends all of them soon after it becomes true; may be null
};

// Has work(i) done for each i below count, and calls take(i, bytes) in this process with what it returned, in the order
// in which they end. What take() was not called for is not done: its process crashed, threw, or was disturbed
// (report_disturbance) by a lack of memory, say, that is another one here; or the work was cancelled. Works begin in
// the order of their numbers. Isolated work (isolated.hpp) runs one task at a time there, and nothing is written to
// standard output and error. All processes have ended when this returns; if this one is killed, they end too.
void run_in_processes(size_t count, const PoolLimits& limits, const std::function<std::string(size_t)>& work,
                      const std::function<void(size_t, std::string)>& take);

}  // namespace warpspan::app
