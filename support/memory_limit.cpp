// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/memory_limit.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <limits>

namespace warpspan::support {

namespace {

std::atomic<uint64_t> further{std::numeric_limits<uint64_t>::max()};

// Bytes of memory that this process can write and does not share; 0 if that is not known.
uint64_t held() {
  uint64_t program = 0, resident = 0, shared = 0, text = 0, libraries = 0, data = 0;
  std::ifstream("/proc/self/statm") >> program >> resident >> shared >> text >> libraries >> data;
  return data * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

void limit_further_memory(uint64_t bytes) {
  further = bytes;
  if (sanitized) return;
  rlimit limit{};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  const uint64_t now = held();
  if (now + bytes < limit.rlim_cur) limit.rlim_cur = now + bytes;
  ::setrlimit(RLIMIT_DATA, &limit);
  further = limit.rlim_cur > now ? limit.rlim_cur - now : 0;
}

uint64_t further_memory() { return further; }

uint64_t raise_memory_limit(uint64_t bytes) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
  const uint64_t room = limit.rlim_max - limit.rlim_cur;
  const uint64_t raised = bytes < room ? bytes : room;
  limit.rlim_cur += raised;
  return ::setrlimit(RLIMIT_DATA, &limit) == 0 ? raised : 0;
}

void lower_memory_limit(uint64_t bytes) {
  rlimit limit{};
  if (bytes == 0 || ::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur -= bytes;
  ::setrlimit(RLIMIT_DATA, &limit);
}

}  // namespace warpspan::support
