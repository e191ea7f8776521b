// SPDX-License-Identifier: GPL-3.0-or-later
// How much of their work random and exhaustive tests do. A run takes a tenth of the seeds of each random test: which
// one the variable WARPSPAN_SEEDS says, 0 to 9 (scripts/test sets it by the commit); 'all', or no such variable, are
// all of them. Exhaustive tests go through everything. With sanitizers, which look for other mistakes and take twenty
// times as long, it is a tenth of both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace warpspan::test {

#ifdef __SANITIZE_ADDRESS__
inline constexpr int taken_one_in = 10;
#else
inline constexpr int taken_one_in = 1;
#endif

// Whether the tests take a tenth of their seeds, and which, 0 to 9.
struct Tenth {
  bool is_taken = taken_one_in > 1;
  int number = 0;
};

inline Tenth tenth() {
  const char* const variable = std::getenv("WARPSPAN_SEEDS");
  const std::string text = variable == nullptr ? "all" : variable;
  if (text == "all") return {};
  if (text.size() != 1 || text[0] < '0' || text[0] > '9') throw std::runtime_error("WARPSPAN_SEEDS: 0 to 9, or all");
  return {true, text[0] - '0'};
}

// Of a random test that has so many seeds, how many this run takes, and which is its first if the test's first is
// `first`. A test that draws all its cases from one generator begins that with this number.
inline int thinned_seeds(int seeds) { return tenth().is_taken ? (seeds + 9) / 10 : seeds; }
inline uint32_t first_seed(uint32_t first, int seeds) {
  return first + static_cast<uint32_t>(tenth().number * thinned_seeds(seeds));
}

// The least that a test must have found to say anything: so much with all seeds; half as much with a tenth of them, of
// which shares vary more.
template <typename Number>
Number or_half(Number least) {
  return tenth().is_taken ? least / 2 : least;
}

// What an exhaustive test goes through: all; with sanitizers a part.
template <typename Problem>
std::vector<Problem> thinned(const std::vector<Problem>& all) {
  std::vector<Problem> part;
  for (size_t i = 0; i < all.size(); i += taken_one_in) part.push_back(all[i]);
  return part;
}

}  // namespace warpspan::test
