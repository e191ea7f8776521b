// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of a machine as a simulation counts with them: those of its file, and what follows from the rest of it
// where the file states none. Floating point decides an estimate here, and never a bound.
#pragma once

#include "support/result.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

struct SimulatedMachine {
  UnitFigures<double> units;
  MemoryFigures<double> memory;
  AtomicFigures<double> atomics;
  CodeFigures<double> code;
  BlockFigures<double> blocks;
  double multiprocessors = 1;
  int schedulers = 1;
  double warps = 1;                 // that a multiprocessor has room for
  double instructions_of_line = 8;  // of code
  double cycles_of_nanosecond = 1;
};

// Errors: the machine file has no typical figures, or none that they follow from.
support::Result<SimulatedMachine> simulated_machine(const Machine& machine);

// Whether all of them were measured on that machine.
bool is_simulation_measured(const Machine& machine);

}  // namespace warpspan::timing
