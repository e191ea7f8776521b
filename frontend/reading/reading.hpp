// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked of a file, and what is found in it: kernels with their control flow known.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ir/execution/block_execution.hpp"
#include "ir/execution/machine_detail.hpp"
#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "ir/kernel_code.hpp"
#include "ir/listed_instruction.hpp"
#include "support/result.hpp"
#include "support/source_file.hpp"

namespace warpspan::frontend {

class PtxFile;

struct AnalyzedKernel {
  ir::Kernel kernel;
  ir::Flow flow;                                    // every loop has a trip count
  ir::Launch launch;                                // with the block filled in
  bool block_from_file = false;                     // the block is the file's .reqntid or .maxntid
  std::vector<std::string> assumptions = {};        // sentences that the flow rests on, besides
  std::vector<ir::ListedInstruction> listing = {};  // of machine code, all of it; empty of PTX
  std::vector<ir::MachineDetail> details = {};      // of machine code, by instruction of the kernel; empty of PTX
  // Of machine code: makes ready to execute the kernel with its launch, for an estimate of its time.
  std::function<support::Result<ir::BlockExecution>(const ir::ExecutionOptions&)> execution = {};
};

struct FailedKernel {
  std::string name;
  support::Diagnostics errors;
};

struct Reading {
  std::vector<std::string> names;       // of all kernels of the file, chosen or not, in its order
  std::vector<ir::KernelCode> codes;    // of those that were chosen
  std::vector<AnalyzedKernel> kernels;  // in the order of the file: those that were chosen and could be read
  std::vector<ir::LoopBoundUse> uses;   // of the launch's loop bounds, by the chosen kernels
  std::vector<FailedKernel> failed;     // those that were chosen and could not
  support::Diagnostics errors;          // of the file, and of the kernels that failed
  // What lines are of, if it is not the file that was read: machine code, an instruction a line.
  std::shared_ptr<const support::SourceFile> listing = nullptr;
};

// What a PTX file has, without the analysis of any kernel.
struct Contents {
  struct Entry {
    std::string name;
    support::Location location;
    std::vector<std::string> parameters = {};  // their names, in order
  };
  std::vector<Entry> kernels;  // in the order of the file; perhaps none
  std::string target;          // "sm_80"
};

// What is wanted besides the kernels.
struct Inquiry {
  bool fingerprints = false;  // KernelCode::sha256
  // Loops without a bound, and functions without a body or a time, are no errors; kernels with any are in `codes` only.
  bool unbounded_loops = false;
  bool keeps_unbounded = false;  // with `unbounded_loops`: they are in `kernels`, too, with loops without a trip count
  bool declared_only = false;    // `flow` stays empty, and the block may stay unknown
  bool unknown_opcodes = false;  // unknown machine instructions are taken for the most expensive, and are no errors
  bool any_groups = false;       // of PTX: lift::Groups::any
  bool code_alone = false;  // of machine code: what the PTX that the file carries for its line tables tells is not used
  // Of machine code: names of the parameters of kernels, where PTX tells them. Else they are as nvcc makes them up.
  std::map<std::string, std::vector<std::string>> parameters = {};
  // Of machine code: the PTX of the same kernels that stands beside it, or null. Outlives the reading.
  const PtxFile* ptx = nullptr;
  // Asked of each kernel that lacks bounds of loops: what keeps it from being bounded whatever bounds are given. It
  // stands before what can be mended.
  std::function<support::Diagnostics(const ir::Kernel&)> hopeless = {};
  // Asked of each kernel that is chosen, before bounds of the user are compared with its loops: errors refuse it.
  std::function<support::Diagnostics(const ir::KernelCode&)> refuse = {};
};

}  // namespace warpspan::frontend
