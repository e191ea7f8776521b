// Basic blocks of machine code. Subroutines are copied to their calls: the blocks of a copy belong to the call.
//
// What leads where: BRA and the WARPSYNC of a collective by their targets, BRX and BRXU by the lists of the file, CALL
// by its target, RET to the instruction whose address the caller put into a register just before the call.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/sass/code.hpp"
#include "support/result.hpp"

namespace warpspan::sass {

struct CodeBlock {
  uint32_t first = 0, count = 0;  // instructions of the section
  uint32_t call = 0;              // which copy: 0 is the kernel itself
  std::vector<uint32_t> targets;  // blocks that its last instruction may branch to, in their order
  uint32_t next = UINT32_MAX;     // the block behind; UINT32_MAX: control never goes on there
};

// Most instructions of a kernel with the copies of its subroutines.
inline constexpr size_t most_copied_instructions = 200'000;

// Block 0 is the entry; only blocks that control may reach. A block begins at each BSYNC and WARPSYNC, so that
// lanes reconverge at a beginning. Instructions that are not known pass control on. Errors: branches whose targets are not known or lie outside, calls through
// registers, subroutines whose return address is not found or that call themselves, too many copies.
support::Result<std::vector<CodeBlock>> find_blocks(const Code& code);

// Whether control may pass on to the next instruction.
bool may_fall_through(const Instruction& instruction);

// An error at the line of an instruction.
support::Diagnostic error_at(const Code& code, const Instruction& instruction, std::string message,
                             std::string help = {});

}  // namespace warpspan::sass
