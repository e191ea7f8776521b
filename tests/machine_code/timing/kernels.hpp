// SPDX-License-Identifier: GPL-3.0-or-later
// Random kernels for the time of machine code: what the assembler moves, keeps in constant memory, or spills.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/machine_code/arguments.hpp"

namespace warpspan::machine_code {

struct TimedKernel {
  std::string text;  // a PTX file
  std::string kernel;
  ir::Extent block;                     // one of it
  std::vector<std::string> parameters;  // their names in PTX
  std::vector<uint64_t> values;         // what they get
  std::vector<bool> told;               // whether the analysis is told that
  std::string flags;                    // of the assembler, besides
  int64_t registers = 0;                // that they limit it to; 0: they do not
  // What it finds in memory, and in constant banks from their beginning on; empty: anything.
  std::function<void(reference::Memory&)> fill = {};
  std::map<uint32_t, std::vector<uint8_t>> constants = {};
  ir::Extent grid = {1, 1, 1};
  bool tells_grid = false;   // the analysis is told that
  int64_t buffer_bytes = 0;  // of what the first parameter points to, which the analysis is told; 0: it is not
  bool only_numbers = true;  // neither branches nor the existence of accesses depend on what it computes
};

// Of samples/ and data/, launched so that they do something: tests/machine_code/cases.hpp.
TimedKernel timed_case(const Case& which);

struct TimedFamily {
  const char* name;
  TimedKernel (*make)(uint64_t seed);
};

// rows: k loads, 1 to 64, in rows before their uses.
// constants: integers and floating-point numbers that fit no operand.
// parameters: many of them, several in one instruction.
// spills: rows of loads with fewer registers than they need.
// tiles: tensor products of tiles that are loaded from global or shared memory.
// copies: rings of groups of copies by threads, read by rows of matrices or words; votes, matches, reductions, sleeps.
// mixtures: all of the others and shared memory, barriers, special functions, divergent branches, in loops.
// Then the families of tests/reference that no time is told of, but for those whose interpreter needs more.
const std::vector<TimedFamily>& timed_families();

}  // namespace warpspan::machine_code
