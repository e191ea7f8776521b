// SPDX-License-Identifier: GPL-3.0-or-later
// Families of random kernels: the same seed gives the same text.
#pragma once

#include <vector>

#include "tests/reference/comparison.hpp"

namespace warpspan::reference {

struct Family {
  const char* name;
  Experiment (*make)(uint64_t seed);
};

// loops: nested counted loops and structured jumps.
// joins: branches with several blocks a side, early exits, and conditions that depend on where lanes came from.
// exits: loops that lanes leave at different times, or for different turns.
// slots: variables and counters in local memory, as code compiled without optimisation has them.
// calls: functions called from several places and by each other.
// outside: the same, of functions of which only the times are known.
// recursion: functions that call themselves and each other, to a depth that may differ from lane to lane.
// counts: loops that count in every way, from and to any value, also past the largest one.
// addresses: accesses at addresses of every form.
// floats: loops that floating-point numbers count or decide.
// swaps: retries of compare-and-swaps, executed so that others get ahead, and waits for the cycle counter.
// opcodes: what single instructions compute, as loop bounds, conditions and addresses.
const std::vector<Family>& families();

// counts_family.cpp, floats_family.cpp, swaps_family.cpp, addresses_family.cpp, opcodes_family.cpp
Experiment count_experiment(uint64_t seed);
Experiment float_experiment(uint64_t seed);
Experiment swap_experiment(uint64_t seed);
Experiment address_experiment(uint64_t seed);
Experiment opcode_experiment(uint64_t seed);

}  // namespace warpspan::reference
