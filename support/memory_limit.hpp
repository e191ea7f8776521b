// SPDX-License-Identifier: GPL-3.0-or-later
// A limit on the memory of this process.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpspan::support {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

// From now on the process may use so many bytes of memory more than it has: memory of its own that it can write, the
// stacks of threads in full. Not what is only reserved, as the allocator does for each thread. No limit where the
// sanitizers run, which map terabytes that they do not use. A limit set from outside stays if it is lower.
void limit_further_memory(uint64_t bytes);

// The bytes of the limit when it was set, 0 if it was passed; the largest number before.
uint64_t further_memory();

// Moves the limit up by so many bytes, if there is one, but not above the hard limit: by how many. Safe in a signal
// handler.
uint64_t raise_memory_limit(uint64_t bytes);

// The same down again; of what was raised.
void lower_memory_limit(uint64_t bytes);

// Of isolated work (isolated.hpp), which shares the memory: from now on at most so many tasks at the same time; 0: no
// limit but that of run_isolated.
void limit_tasks(size_t tasks);

}  // namespace warpspan::support
