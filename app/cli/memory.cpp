// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "support/isolated.hpp"
#include "support/memory_limit.hpp"

namespace warpspan::app {

int64_t default_memory() {
  int64_t most = int64_t{4} << 30;
  const int64_t pages = ::sysconf(_SC_PHYS_PAGES);
  const int64_t machine = pages > 0 ? pages * ::sysconf(_SC_PAGESIZE) : 0;
  if (machine > 0) most = std::min(most, machine / 4 * 3);
  int64_t group = 0;  // of containers; "max" if there is no limit
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> group) most = std::min(most, group / 4 * 3);
  return std::max(most, least_memory);
}

void limit_memory(int64_t bytes) {
  support::limit_further_memory(static_cast<uint64_t>(bytes) + support::isolated_stack);
}

}  // namespace warpspan::app
