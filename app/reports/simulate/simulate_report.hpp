// SPDX-License-Identifier: GPL-3.0-or-later
// What 'warpspan simulate' has found: the one object that both the text and the JSON are made from. All of it is an
// estimate.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/reports/expected_time.hpp"
#include "app/reports/run_record.hpp"
#include "ir/kernel.hpp"
#include "support/diagnostic.hpp"
#include "timing/simulate/simulate.hpp"
#include "timing/simulate/slowest_run.hpp"

namespace warpspan::app {

// A machine instruction, and how long warps waited before they issued it.
struct SimulatedLine {
  std::string place;        // "0x1a0"; "function+0x1a0" in what the kernel calls
  std::string text;         // "@!P0 BRA 0x1a0"
  std::string source_file;  // as the line tables name it; empty, and line 0, if it is not known
  uint32_t source_line = 0;
  double issued = 0;  // by all warps that were simulated
  double cycles = 0;  // that they waited, and that issuing took
  std::array<double, timing::stalls> stalls{};
  std::string awaited;  // place of the instruction whose scoreboard they waited for the longest; empty: none
};

struct SimulatedKernel {
  std::string file, name;
  std::string machine, description;  // of the machine
  int64_t clock_khz = 0;
  bool is_measured = false;  // the typical figures of the machine
  ir::Extent block, grid;
  bool block_from_file = false, grid_given = false;
  int64_t warps_per_block = 0;
  std::string policy;
  ExpectedTime expected;
  timing::Simulation simulation;     // without its `stalls`
  std::vector<SimulatedLine> lines;  // in the order of the code; those that were issued
  // Of the spans of the timeline: "0x1a0 LDG.E R2, [R4]".
  std::map<ir::InstructionId, std::string> placed;
  // With the figures of the bound, if it was asked for, and what was assumed.
  std::optional<timing::SlowestRun> slowest;
  std::vector<std::string> assumed;
  // Why what was executed was not held against what the analysis proves; empty if it was.
  std::string not_held;
};

// What an array holds in the end, for a file.
struct SavedArray {
  std::string path, bytes;
};

// What the times rest on, in sentences.
std::vector<std::string> remarks_of(const SimulatedKernel& kernel);

struct SimulateReport {
  std::vector<SimulatedKernel> kernels;  // in the order of the files and of the kernels in them
  std::vector<SavedArray> saved;         // as asked for, if all could be
  support::Diagnostics errors;           // in the order of the files
  RunRecord run = {};
};

}  // namespace warpspan::app
