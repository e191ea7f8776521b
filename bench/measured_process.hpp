// SPDX-License-Identifier: GPL-3.0-or-later
// What a piece of work costs in a process of its own, whose peak memory is that of the work.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <optional>
#include <type_traits>

namespace warpspan::bench {

// Of the process, so far.
inline double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// What `work` returns, a std::optional<Cost> of plain numbers, called in a process of its own, with the `megabytes`
// that the process had at most. Nothing if it returns nothing, or does not end as it should.
template <typename Work>
auto in_process(const Work& work) -> decltype(work()) {
  using Cost = typename decltype(work())::value_type;
  static_assert(std::is_trivially_copyable_v<Cost>);
  int channel[2] = {};
  if (pipe(channel) != 0) return std::nullopt;
  const pid_t child = fork();
  if (child == 0) {
    const auto cost = work();
    const bool written = cost && write(channel[1], &*cost, sizeof *cost) == sizeof *cost;
    _exit(written ? 0 : 1);
  }
  close(channel[1]);
  Cost cost;
  const bool is_read = child > 0 && read(channel[0], &cost, sizeof cost) == sizeof cost;
  close(channel[0]);
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0 || !is_read) return std::nullopt;
  cost.megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
  return cost;
}

}  // namespace warpspan::bench
