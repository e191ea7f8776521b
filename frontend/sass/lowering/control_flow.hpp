// SPDX-License-Identifier: GPL-3.0-or-later
// Basic blocks of machine code. Subroutines, and functions of other sections, are copied to their calls: the blocks of
// a copy belong to the call.
//
// What leads where: BRA and the WARPSYNC of a collective by their targets, BRX and BRXU by the lists of the file, CALL
// by its target or what the file fills in there (a report of a failed assertion leads nowhere, and nothing to it), RET
// to the instruction whose address the caller put into a register: just before a CALL.REL; how far that is sure of a
// CALL.ABS, restored_values.hpp tells. A CALL.REL from which nothing comes back is a branch (control_flow.cpp says
// why), and a trap leads nowhere.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/sass/words/code.hpp"
#include "support/result.hpp"

namespace warpspan::sass {

// After an instruction a register contains again what one contained where the copy began: a general register after LDL,
// a barrier register, the same one, after BMOV. restored_values.hpp.
struct RestoredValue {
  uint32_t instruction = 0;
  ir::RegisterId reg = 0, original = 0;
};

struct CodeBlock {
  uint32_t first = 0, count = 0;        // instructions of the code
  uint32_t call = 0;                    // which copy: 0 is the kernel itself
  uint32_t entry = 0;                   // block where the copy begins
  std::vector<uint32_t> targets;        // blocks that its last instruction may branch to, in their order
  uint32_t next = UINT32_MAX;           // the block behind; UINT32_MAX: control never goes on there, whatever the guard
  std::vector<RestoredValue> restored;  // of code with calls between sections only
};

// Most instructions of a kernel with the copies of its subroutines.
inline constexpr size_t most_copied_instructions = 200'000;

// Block 0 is the entry; only blocks that control may reach. A block begins at each BSYNC and WARPSYNC, so that
// lanes reconverge at a beginning. Instructions that are not known pass control on. Errors: branches whose targets are
// not known or lie outside of their section, calls through registers or of what the file does not have, subroutines
// whose return address is not found or that call themselves, too many copies, accesses and branches that are filled in
// later.
support::Result<std::vector<CodeBlock>> find_blocks(const Code& code);

// By block: the one that alone leads to it, by one edge, if there is one.
std::vector<std::optional<uint32_t>> lone_predecessors(const std::vector<CodeBlock>& blocks);

// Whether control may pass on to the next instruction.
bool may_fall_through(const Instruction& instruction);

// Whether it ends the kernel, as an error.
bool is_trap(const Instruction& instruction);

// What to do instead, where nothing else helps.
inline constexpr const char* bound_the_ptx =
    "where the PTX that it was compiled from can be bounded, bound that: with {ptx} if it lies beside it";

// An error at the line of an instruction.
support::Diagnostic error_at(const Code& code, const Instruction& instruction, std::string message,
                             std::string help = {});

}  // namespace warpspan::sass
