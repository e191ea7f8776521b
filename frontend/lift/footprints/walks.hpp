// SPDX-License-Identifier: GPL-3.0-or-later
// How a thread goes through lines of memory: which of them it will ask for again.
#pragma once

#include <cstdint>
#include <optional>

namespace warpspan::lift {

// Accesses of one thread, of which each lies in one line, as a word does that begins at a multiple of its size.
struct Steps {
  int64_t width = 0;       // bytes from the first that one of them begins at in an iteration of a loop to the last
  int64_t stride = 0;      // from one iteration to the next
  int64_t iterations = 1;  // each time the loop is entered, at most
  int64_t entries = 1;     // how often that is, at most
};

// Its requests are visits of lines, which each begin with a request and end with one: so many, and of them so many at a
// time at most that were begun and have not ended.
struct Visits {
  int64_t all = 0, open = 0;
};

// Wherever the first lies. Nothing where a number does not fit 64 bits.
std::optional<Visits> visits_of(const Steps& steps);

}  // namespace warpspan::lift
