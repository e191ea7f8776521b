// What analyze has found: the one object that both the text and the JSON are made from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/reports/bracket.hpp"
#include "ir/flow.hpp"
#include "support/diagnostic.hpp"
#include "timing/analysis.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::app {

// The machine of a report, without its tables.
struct MachineSummary {
  std::string name, description;
  int64_t clock_khz = 0;
  int64_t multiprocessors = 1;
};

// What a line has in the headline bound: timing::InstructionCost, of all its instructions.
struct LineCost {
  std::string file;  // the source file, or the file that was read where nothing is known of a source
  int64_t line = 0;
  int64_t executions = 0;  // of the instruction of the line that is executed most
  int64_t own = 0, others = 0;
  std::string resource;
  std::string text;  // of the line, without the blanks around it; empty if its file cannot be read

  int64_t cycles() const { return own + others; }
};

// What an instruction is called that has a cost.
struct CostlyInstruction {
  int64_t line = 0;       // in the file that was read
  std::string operation;  // "ld.global.f32"
};

// One kernel that could be bounded: it has a safe bound of the pipeline model.
struct KernelReport {
  std::string file, name;
  MachineSummary machine;
  ir::Launch launch;  // the block filled in
  bool block_from_file = false;
  std::vector<ir::Loop> loops;
  timing::Analysis analysis;
  std::vector<LineCost> lines;                  // the costliest first, then by file and line
  std::vector<CostlyInstruction> instructions;  // by timing::Analysis::costs
};

struct AnalyzeReport {
  std::vector<KernelReport> kernels;  // in the order of the files and of the kernels in them
  support::Diagnostics errors;        // in the order of the files
};

// The smallest safe value of the pipeline model, or null if there is none.
const solver::Bound* headline_bound(const timing::Analysis& analysis);

// Between which values the worst case of the string model lies: the longest schedule found, and the smallest safe
// value.
Bracket string_bracket(const timing::Analysis& analysis);

}  // namespace warpspan::app
