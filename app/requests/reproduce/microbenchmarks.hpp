// SPDX-License-Identifier: GPL-3.0-or-later
// The microbenchmarks of samples/fermi, which are part of the program: what the clock reads around their operations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/result.hpp"
#include "timing/machine/model.hpp"
#include "timing/warp/one_warp.hpp"

namespace warpspan::app {

// The operations of a row of the thesis' tables, in numbers that rise; the cycles that it prints for each, if it does.
struct MicrobenchmarkRow {
  std::string source;                // "table 22"
  std::string operations;            // "mad add"
  bool chained = false;              // each operation needs the result of the one before it
  std::vector<int64_t> counts;       // of operations
  std::vector<std::string> printed;  // by count; empty where the thesis prints none
};

std::vector<MicrobenchmarkRow> microbenchmark_rows();

// What the two clock reads of each kernel of the row would show on the machine "fermi", by count. Errors are defects:
// the kernels are the program's own.
support::Result<std::vector<timing::ClockReading>> clock_cycles(const MicrobenchmarkRow& row);

// What that machine says of the row's access to shared or global memory.
struct AccessFigures {
  int64_t gap = 0;             // cycles to the next instruction of the warp
  timing::Latency latency;     // cycles
  int64_t bank_conflicts = 0;  // n of the n-way bank conflict of an access to shared memory, for a warp
};
support::Result<AccessFigures> access_figures(const MicrobenchmarkRow& row);

}  // namespace warpspan::app
