// SPDX-License-Identifier: GPL-3.0-or-later
// Small random loops, as PTX and as what they do: how often the header runs at each entry, found by executing the loop
// step by step in wrapping arithmetic. Nothing here is shared with the program.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace warpspan::test {

// first + thread * by_thread + unknown * by_unknown (+ iteration * by_iteration of a loop around this one), in 32 bits.
struct Linear {
  uint32_t first = 0, by_thread = 0, by_unknown = 0, by_iteration = 0;
};

enum class Step : uint8_t { add, shift_left, shift_right, multiply };

struct LoopShape {
  unsigned bits = 32;       // of the counter: 16, 32 or 64
  unsigned test_bits = 32;  // at least as many: the counter is extended before the test
  bool extends_sign = false;
  bool compares_signed = false;
  unsigned predicate = 0;  // eq, ne, lt, le, gt, ge: the loop goes on while it holds
  Step step = Step::add;
  uint64_t by = 1;
  Linear start, limit;  // extended by zeros
  bool limit_is_signed = false;
  bool test_at_head = false;
  bool breaks = false;          // also ends on a condition that is not known
  bool is_guarded = false;      // is entered only if the thread's number is below `threads_in`
  bool guard_unknown = false;   // is entered only on a condition that is not known
  bool two_back_edges = false;  // goes back at once where the counter is odd
  uint32_t second_limit = 0;    // if not 0: also ends when a second counter, from 0 by 1, comes to it
  uint32_t threads_in = 0;
  uint32_t iterations = 1;  // of a loop around it
  uint32_t unknowns = 1;    // a value below this, a power of two, is not known, but the same for all threads
  bool is_loaded = false;   // the unknown value differs from thread to thread
};

LoopShape random_shape(std::mt19937_64& random);

// The body of a kernel (tests/frontend/lift/find_facts.hpp) with the loop at $L.
std::string ptx_of(const LoopShape& shape);

// What the loop does at its entries.
struct Trips {
  bool is_entered = false;
  bool is_endless = false;  // or longer than could be executed: `most` is how long
  bool is_surely_endless = false;
  int64_t most = 0;
  int64_t fewest = 0;  // of the largest of each launch: no larger number of trips happens in every launch
};
Trips execute(const LoopShape& shape, uint32_t threads);

}  // namespace warpspan::test
