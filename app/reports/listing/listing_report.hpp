// SPDX-License-Identifier: GPL-3.0-or-later
// What 'warpspan listing' has found: the code of kernels, instruction by instruction, and what each has in the bound.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/reports/analyze/analyze_report.hpp"
#include "ir/flow.hpp"
#include "ir/launch.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::app {

// A machine instruction; of PTX what stands in one line.
struct CodeLine : ViewedLine {
  std::optional<uint64_t> offset;     // of machine code: bytes from the begin of its section
  std::string control;                // of machine code: its control fields in words, the stall count among them
  std::string waits;                  // the same in few words, without the stall count
  std::string source_text;            // of its line of the source; empty if its file cannot be read
  uint32_t ptx_line = 0;              // that machine code was compiled from; 0 if it is not known
  std::optional<int64_t> issue;       // cycles before the warp may issue the next; nothing where there are no figures
  std::optional<int64_t> latency;     // cycles until its result is there, at most, where nothing is assumed of accesses
  std::vector<std::string> rests_on;  // what the cost rests on, besides the assumptions of the whole bound
};

// The entry of CodeLine::rests_on where figures are assumed.
inline constexpr std::string_view unmeasured = "figures that nobody has measured";

struct CodeBlock {
  std::string label;              // as --loop-bound names it; of a block that has no label in PTX "B3", its place here
  std::string function;           // of machine code: whose section it is in
  size_t first = 0, count = 0;    // in ListedKernel::lines
  std::optional<size_t> loop;     // in ListedKernel::loops: the innermost that contains it
  std::vector<std::string> next;  // labels of the blocks that may follow
  bool may_end = false;           // a thread may end behind it, or return
  bool divergent = false;         // lanes of a warp may go different ways behind it
  int64_t executions = 0;         // of the instruction in it that one warp executes most
};

struct ListedKernel {
  std::string file, name, target;
  bool is_machine_code = false;
  std::string machine, description;  // empty without a bound
  int64_t clock_khz = 0;
  ir::Launch launch;
  std::optional<int64_t> makespan, worst;  // the bound, and of one warp alone
  support::Diagnostics reasons;            // why there is no bound
  std::vector<CodeLine> lines;
  std::vector<CodeBlock> blocks;  // ascending lines; none where the control flow is not known
  std::vector<ir::Loop> loops;    // parents before their children
  // Blocks in an order in which a warp can execute them, those of a loop in parentheses: "0x0 (0x40 0xa0)x64 0xb0".
  std::string worst_path;
  std::vector<std::string> assumptions;  // of the bound
};

struct ListingReport {
  std::vector<ListedKernel> kernels;  // those with a bound, then the others
  support::Diagnostics errors;        // of what cannot be listed at all
};

}  // namespace warpspan::app
