// SPDX-License-Identifier: GPL-3.0-or-later
// A number that looks random for each number.
#pragma once

#include <cstdint>

namespace warpspan::support {

// Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014): one step of SplitMix64.
constexpr uint64_t mixed(uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
  value = (value ^ value >> 27) * 0x94d049bb133111eb;
  return value ^ value >> 31;
}

}  // namespace warpspan::support
