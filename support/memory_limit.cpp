#include "support/memory_limit.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace warpspan::support {

namespace {

// Bytes of memory that this process can write and does not share; 0 if that is not known.
uint64_t held() {
  uint64_t program = 0, resident = 0, shared = 0, text = 0, libraries = 0, data = 0;
  std::ifstream("/proc/self/statm") >> program >> resident >> shared >> text >> libraries >> data;
  return data * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

void limit_further_memory(uint64_t bytes) {
  if (sanitized) return;
  rlimit limit{};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  const uint64_t most = held() + bytes;
  if (most < limit.rlim_cur) limit.rlim_cur = most;
  ::setrlimit(RLIMIT_DATA, &limit);
}

void raise_memory_limit(uint64_t bytes) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  const uint64_t room = limit.rlim_max - limit.rlim_cur;
  limit.rlim_cur += bytes < room ? bytes : room;
  ::setrlimit(RLIMIT_DATA, &limit);
}

}  // namespace warpspan::support
