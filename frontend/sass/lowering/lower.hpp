// SPDX-License-Identifier: GPL-3.0-or-later
// From machine code to the kernel that timing sees, and to the program that the analyses of control flow see.
//
// The two have the same blocks. The kernel has one instruction for each of the machine, with what its control fields
// say of time. The program says what the instructions compute, in the terms of ir::Computation; it has several for one
// of the machine, and where ptxas calculates with halves of 64-bit numbers (IADD3 and IADD3.X, LEA and LEA.HI.X, ISETP
// and ISETP.EX) it calculates with whole ones. docs/sass.md.
#pragma once

#include <string>
#include <vector>

#include "frontend/sass/lowering/control_flow.hpp"
#include "frontend/sass/words/code.hpp"
#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "ir/program.hpp"
#include "support/result.hpp"

namespace warpspan::sass {

struct Lowered {
  ir::Program program;
  ir::Kernel kernel;
  std::vector<ir::InstructionId> origins;  // by instruction of the program's body: that of the kernel
  std::vector<uint32_t> instructions;      // by instruction of the kernel: that of Code::instructions
  std::vector<std::string> assumptions;    // sentences that facts about the program rest on
};

// Errors: instructions that have no kind of operation.
support::Result<Lowered> lower(const Code& code, const std::vector<CodeBlock>& blocks);

// Facts about the program as facts about its kernel.
ir::Flow facts_of_kernel(const Lowered& lowered, ir::Flow facts);

}  // namespace warpspan::sass
