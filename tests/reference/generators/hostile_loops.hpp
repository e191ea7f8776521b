// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels with loops of the forms that trip counts are found of, in variations drawn at random, and launches with
// numbers that lie where arithmetic wraps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/reference/generators/random.hpp"

namespace warpspan::reference {

// A number of a parameter that is not told, or told as a range: first to last.
struct HostileParameter {
  std::string name;
  unsigned bits = 32;
  bool is_told = false;
  uint64_t first = 0, last = 0;

  // As --arg says it.
  std::string told() const;
};

struct HostileLoops {
  std::string text;  // of the kernel k: parameters p and q (pointers), n, m (32 bits), w (64 bits)
  std::vector<HostileParameter> parameters;  // n, m and w
  std::optional<int64_t> array_bytes = {};   // that q is told to point to
};

HostileLoops hostile_loops(uint64_t seed);

// A number that the parameter may have.
uint64_t hostile_value(const HostileParameter& parameter, Random& random);

}  // namespace warpspan::reference
