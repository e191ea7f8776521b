// SPDX-License-Identifier: GPL-3.0-or-later
// Typical figures of a machine, for the simulation of an expected time (docs/simulate.md). They decide an estimate and
// never a bound: no analysis of bounds reads them. simulated_figures.def says what each is.
#pragma once

namespace warpspan::timing {

// Exact as a machine file states them, or as a simulation counts with them.
template <typename Number>
struct UnitFigures {
#define UNIT_FIGURE(key, presence, words, meaning) Number key{};
#include "timing/machine/simulated_figures.def"
  friend bool operator==(const UnitFigures&, const UnitFigures&) = default;
};
template <typename Number>
struct MemoryFigures {
#define MEMORY_FIGURE(key, presence, words, meaning) Number key{};
#include "timing/machine/simulated_figures.def"
  friend bool operator==(const MemoryFigures&, const MemoryFigures&) = default;
};
template <typename Number>
struct AtomicFigures {
#define ATOMIC_FIGURE(key, presence, words, meaning) Number key{};
#include "timing/machine/simulated_figures.def"
  friend bool operator==(const AtomicFigures&, const AtomicFigures&) = default;
};
template <typename Number>
struct CodeFigures {
#define CODE_FIGURE(key, presence, words, meaning) Number key{};
#include "timing/machine/simulated_figures.def"
  friend bool operator==(const CodeFigures&, const CodeFigures&) = default;
};
template <typename Number>
struct BlockFigures {
#define BLOCK_FIGURE(key, presence, words, meaning) Number key{};
#include "timing/machine/simulated_figures.def"
  friend bool operator==(const BlockFigures&, const BlockFigures&) = default;
};

}  // namespace warpspan::timing
