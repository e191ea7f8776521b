// SPDX-License-Identifier: GPL-3.0-or-later
// Several kernels on one GPU: what there is, and the tasks that ask for it again and again.
//
// All times are in one unit that the caller chooses. A block's most time is one that it never exceeds, whatever runs
// beside it on its multiprocessor and elsewhere: contention is part of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "support/diagnostic.hpp"

namespace warpspan::solver::response_times {

// What a multiprocessor has, and a block occupies while it runs, by kind.
enum class Kind : uint8_t { blocks, threads, shared_bytes, registers };
inline constexpr size_t kinds = 4;
using Amounts = std::array<int64_t, kinds>;

enum class Direction : uint8_t { to_device, to_host };

// What the default (NULL) stream, stream 0, is: a stream as any other, or one whose operations wait for all operations
// of other streams that were launched before, as those launched later do for it.
enum class NullStream : uint8_t { none, legacy };

struct Gpu {
  int64_t multiprocessors = 1;             // 1 to 65536
  Amounts capacity{};                      // of each multiprocessor; from 0
  int64_t copy_engines = 1;                // 1 or 2
  std::array<int64_t, 2> engine_of{0, 0};  // which engine copies in a direction; from 0
  NullStream null_stream = NullStream::none;
};

struct Kernel {
  int64_t blocks = 1;      // at least 1
  int64_t block_time = 1;  // the most that a block takes; at least 1
  Amounts need{};          // of a block; from 0, at most the capacity
};

struct Copy {
  Direction direction = Direction::to_device;
  int64_t time = 1;  // the most that it takes; at least 1
};

using Operation = std::variant<Kernel, Copy>;

// A job of a task launches all operations of the task into its stream, at its release.
struct Task {
  std::string name;
  int64_t stream = 0;
  int64_t priority = 0;             // of its stream; kernels of a larger one go first
  int64_t offset = 0;               // the first release; from 0
  std::optional<int64_t> period;    // the least time from a release to the next, at least 1; nothing: one job only
  std::optional<int64_t> deadline;  // after a release, at least 1; nothing: the period
  std::vector<Operation> operations;
};

// The engine that makes a copy, from 0.
inline size_t engine_of(const Gpu& gpu, const Copy& copy) {
  return static_cast<size_t>(gpu.engine_of[static_cast<size_t>(copy.direction)]);
}

struct Workload {
  Gpu gpu;
  std::vector<Task> tasks;
};

// The deadline of a task, or nothing if there is none.
std::optional<int64_t> deadline_of(const Task& task);

// As many blocks of a kernel as fit at once on what is left of a multiprocessor; INT64_MAX if they need nothing.
int64_t fitting(const Amounts& left, const Amounts& need);

// All that is out of range; usage errors. Empty if the workload is one that the rest of this folder takes. Linear in
// its size but for a logarithm.
support::Diagnostics errors_in(const Workload& workload);

}  // namespace warpspan::solver::response_times
