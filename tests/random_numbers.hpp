// SPDX-License-Identifier: GPL-3.0-or-later
// Random numbers for tests that make up their cases: with the same seed the same on every machine.
#pragma once

#include <cstdint>
#include <random>

namespace warpspan::test {

using Random = std::mt19937;
// 0 to n - 1, for n > 0.
inline int64_t below(Random& random, int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); }

}  // namespace warpspan::test
