// SPDX-License-Identifier: GPL-3.0-or-later
// Work that may abort, run out of memory or run too long, done in a forked copy of this process.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace warpspan::support {

struct WorkerLimits {
  double seconds = std::numeric_limits<double>::infinity();
  // Bytes of address space beyond what this process has now. Not enforced in builds with sanitizers, which need more.
  int64_t memory = std::numeric_limits<int64_t>::max();
  const std::atomic<bool>* cancel = nullptr;  // may be null
};

struct WorkerReport {
  enum class End : uint8_t { finished, time_limit, cancelled, crashed, not_started };
  End end = End::not_started;
  std::string output;  // what the worker wrote before its end, whatever that was
};

// Calls work(output) in a worker, where `output` is a file descriptor to report() to, and waits for its end.
// Exceptions, aborts and signals end the worker alone: crashed. Its standard output and error go nowhere. The worker
// ends with this process, and nothing of it remains afterwards. May be called by several threads at a time.
WorkerReport run_in_worker(const std::function<void(int output)>& work, const WorkerLimits& limits);

// Only starts a worker, with so many bytes of memory, and does not wait: its process, or a negative number.
pid_t fork_worker(const std::function<void(int output)>& work, int output, int64_t memory);

// For the worker: writes all bytes. Ends the worker if it cannot.
void report(int output, const void* bytes, size_t size);

}  // namespace warpspan::support
