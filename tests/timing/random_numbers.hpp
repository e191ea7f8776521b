// The random numbers of simulations.
#pragma once

#include <cstdint>
#include <random>

namespace warpspan::test {

using Random = std::mt19937;
inline int64_t below(Random& random, int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); }

}  // namespace warpspan::test
