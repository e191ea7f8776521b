// SPDX-License-Identifier: GPL-3.0-or-later
// What analyze has found: the one object that both the text and the JSON are made from.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/kept/kept.hpp"
#include "app/reports/analyze/code_view.hpp"
#include "app/reports/bracket.hpp"
#include "app/reports/expected_time.hpp"
#include "app/reports/run_record.hpp"
#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "ir/listed_instruction.hpp"
#include "support/diagnostic.hpp"
#include "timing/analysis.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::app {

// The machine of a report, without its tables.
struct MachineSummary {
  std::string name, description;
  int64_t clock_khz = 0;
  int64_t multiprocessors = 1;
  int64_t max_warps = 1;                   // of a multiprocessor
  std::vector<std::string> usual = {};     // names of what runs of it back
  std::vector<std::string> evidence = {};  // for each of these, as the machine file states it
};

// What an instruction is called that has a cost.
struct CostlyInstruction {
  int64_t line = 0;       // in the file that was read
  std::string operation;  // "ld.global.f32"
};

// Pieces that the memory accesses of one warp fall into, in one space: the largest total on any path.
struct SpaceTransactions {
  ir::MemorySpace space = ir::MemorySpace::none;
  int64_t count = 0;
};

// Where an instruction accesses global memory, or may do so by a generic address, over the whole launch.
struct MemoryAccess {
  int64_t line = 0;              // in the file that was read
  std::string source_file = {};  // as the line tables name it; empty, and line 0, if it is not known
  int64_t source_line = 0;
  std::string instruction;  // "ld.global.f32"
  std::string object;       // that its addresses are counted from; empty: it may be any memory
  std::optional<int64_t> object_bytes;
  ir::Access where;
  int64_t dense_with_line = 0;        // if it is dense: the line of the first access that it is so together with
  int64_t pieces = 0;                 // of an execution: ir::Flow::transactions
  std::optional<int64_t> executions;  // by one warp, as timing::InstructionCost; nothing where no costs are told
  int64_t cycles = 0;                 // of the bound; 0 where no costs are told
};

// An instruction of machine code, and what it has in the headline bound.
struct ListedCost {
  ir::ListedInstruction instruction;
  int64_t executions = 0;  // by one warp; of all copies that stand for it together
  int64_t own = 0, others = 0;
  std::string resource = {};  // with most of `others`

  int64_t cycles() const { return own + others; }
};

// timing::Advice, with its place.
struct PlacedAdvice {
  timing::Advice advice;
  int64_t line = 0;              // in the file that was read; 0 if it is about the launch
  std::string source_file = {};  // as the line tables name it; empty, and line 0, if it is not known
  int64_t source_line = 0;
};

// What is told of all assumptions without their sentences.
struct Assumed {
  size_t count = 0;                      // of the sentences
  std::vector<std::string> identifiers;  // of those that have one: "A-21"
  std::vector<std::string> by_option;    // names of what --assume states and the headline bound rests on
};

// What make_brief() left of the parts of a report that it took away.
struct Brief {
  Assumed assumed;
  bool is_machine_code = false;
  int64_t cycles_left_out = 0;  // of the headline bound, in lines that are no longer there
};

// One kernel that could be bounded: it has a safe bound of the pipeline model, or of the string model where only that
// was asked for.
struct KernelReport {
  std::string file, name;
  MachineSummary machine;
  ir::Launch launch;  // the block filled in
  bool block_from_file = false;
  std::vector<ir::Loop> loops;
  timing::Analysis analysis;
  std::vector<LineCost> lines;                                 // the costliest first, then by file and line
  std::vector<CostlyInstruction> instructions;                 // by timing::Analysis::costs
  std::optional<std::vector<SpaceTransactions>> transactions;  // all spaces; nothing if a total exceeds 64 bits
  timing::AssumptionSet assumed = {};
  std::vector<std::string> stated = {};     // sentences: what results rest on because the user states it
  std::vector<MemoryAccess> accesses = {};  // as ir::Flow::accesses
  std::vector<ListedCost> listing = {};     // of machine code: all of its instructions
  std::vector<PlacedAdvice> advice = {};    // the largest gain first
  // The PTX of the same kernel, where all else is of its machine code: none or one. It explains, and decides nothing.
  std::vector<KernelReport> ptx = {};
  support::Diagnostics ptx_errors = {};  // why it could not be bounded
  std::optional<ExpectedTime> expected = {};
  // As `lines`, of the expected time of a launch that was simulated: they add up to it. Empty where nobody asked.
  std::vector<LineCost> expected_lines = {};
  std::shared_ptr<const CodeView> code = nullptr;  // where it was asked for
  std::string elsewhere = {};       // an assumption: that no device of the machine runs the code; empty if some do
  std::optional<Brief> brief = {};  // of what is shown in short only
};

// What has no bound, and why.
struct FailedKernel {
  std::string file;
  std::string name;  // empty: no kernel of the file could be told
  support::Diagnostics errors;
};

struct AnalyzeReport {
  KeptList<KernelReport> kernels;         // in the order of the files and of the kernels in them
  support::Diagnostics errors;            // in the order of the files
  std::vector<FailedKernel> failed = {};  // in the order of the files
  RunRecord run = {};                     // bound_kernels knows its inputs and machines only
};

// The largest bounds of all kernels.
struct Largest {
  int64_t cycles = 0;
  int64_t picoseconds = 0;  // rounded up
};

// Nothing if anything that was asked for is not bounded, there is no kernel, no bound of the pipeline model was asked
// for, or a time exceeds 2^63-1 ps.
std::optional<Largest> largest_bound(const AnalyzeReport& report);

// The smallest safe value of the pipeline model, or null if there is none.
const solver::Bound* headline_bound(const timing::Analysis& analysis);

// Between which values the worst case of the string model lies: the longest schedule found, and the smallest safe
// value.
Bracket string_bracket(const timing::Analysis& analysis);

}  // namespace warpspan::app
