// SPDX-License-Identifier: GPL-3.0-or-later
// How long a launch probably takes, from what is known of it without executing it. An estimate with the typical figures
// of a simulation: no bound is made of it, and floating point decides it.
//
// One multiprocessor. Its warps go along the path on which most is issued and awaited. A wave of blocks takes as long
// as one of its warps, which never waits for others; and whatever the multiprocessor is asked for in all takes its time
// too, the longest of these, since one hides the others. The estimate is the sum, and the time until the first
// instructions come.
//
//   A block of code        takes as long as its longest chain of results, or its issues. The assembler is taken to
//   order
//                          PTX as well as it can, but that no load overtakes a store; machine code has its order, and
//                          PTX for debuggers is not optimised: each instruction waits for the one before it.
//   An access              finds in the L1 what its multiprocessor asked for before, but each warp waits for the lines
//                          that are new to it, since all come there at the same time; the L2 has what another
//                          multiprocessor asked for. Half of what goes to unknown places is in the L1. It falls into
//                          the transactions that are known of it; if nothing is, into one where loaded values decide
//                          the address, else into the geometric mean of few and 32.
//   Atomics                at one address follow one another, on the device. Where a branch on loaded values leads to
//                          one, a lane of each warp gets there, else all do.
#pragma once

#include <optional>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "timing/launch/launch.hpp"
#include "timing/simulate/figures.hpp"

namespace warpspan::timing {

// Cycles, of a multiprocessor.
struct ClosedForm {
  double latency = 0;  // of one wave
  double waves = 1;
  // That all its warps together take of ...
  double issue = 0;       // the schedulers
  double units = 0;       // units of special functions or double precision
  double load_store = 0;  // the load/store units
  double network = 0;     // the way to the L2
  double memory = 0;      // memory, of which the device has all
  double atomics = 0;     // the address that most atomics go to
  double dispatch = 0;    // the begin of blocks, of the device

  double cycles() const;
};

// Requires trip counts for all loops, and figures that follow from the machine. Nothing where an operation has no
// costs, the kernel calls functions without a body, never ends, or its paths take more memory than they are worth.
std::optional<ClosedForm> closed_form(const ir::Kernel& kernel, const ir::Flow& flow, const Load& load,
                                      const Machine& machine, const SimulatedMachine& figures);

}  // namespace warpspan::timing
