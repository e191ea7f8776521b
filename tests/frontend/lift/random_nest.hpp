// SPDX-License-Identifier: GPL-3.0-or-later
// Small random nests of two loops, as PTX and as what they do. As random_loop.hpp: nothing is shared with the program.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace warpspan::test {

// A counter of 32 bits in wrapping arithmetic. `thread`, `iteration` and `loaded` are factors of the thread's number,
// of the outer counter, and of a value below NestShape::loaded_values that is read anew in each iteration of the outer
// loop.
struct Sum {
  uint32_t first = 0, thread = 0, iteration = 0, loaded = 0;
};

enum class NestStep : uint8_t { add, shift_left, shift_right, multiply_and_add };

struct CounterShape {
  Sum start, limit, by;
  NestStep step = NestStep::add;
  unsigned predicate = 0;  // eq, ne, lt, le, gt, ge: the loop goes on while it holds
  bool compares_signed = false;
  bool test_at_head = false;
};

struct NestShape {
  CounterShape outer, inner;       // the outer one's sums have no iteration and nothing loaded
  uint32_t loaded_values = 1;      // a power of two
  bool skips_inner = false;        // where the outer counter is even
  bool leaves_both = false;        // the inner loop goes to the end where both counters are equal
  bool inner_moves_outer = false;  // each iteration of the inner loop adds 1 to the outer counter
};

NestShape random_nest(std::mt19937_64& random);

// The body of a kernel (tests/frontend/lift/find_facts.hpp) with the loops at $A and $L.
std::string ptx_of(const NestShape& shape);

struct NestTrips {
  int64_t outer = 0, inner = 0;  // the most at any entry; 0: never entered
  bool is_cut = false;           // something was longer than could be executed
  // What happens in every launch, if nothing was cut: some thread has so many at one entry.
  int64_t sure_outer = 1, sure_inner = 1;
};
NestTrips execute(const NestShape& shape, uint32_t threads);

}  // namespace warpspan::test
