// SPDX-License-Identifier: GPL-3.0-or-later
// What functions leave as it was.
//
// A function that is called by its address gets the address to return to in two registers, and uses any register for
// its own purposes after it has saved it: in another register, or in its frame of local memory, which begins where R1
// points. So that RET leads back to the call is found here, by following values: which registers and which words of the
// frame contain what a register contained where the copy of the function began, or half of an instruction's address.
//
// The one thing that is taken for granted: nothing but the stores that name R1, or a sum of it and a number, changes
// what a function has saved in its frame; stores to arrays stay inside of them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/sass/lowering/control_flow.hpp"
#include "frontend/sass/words/code.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::sass {

// A copy of what is called.
struct CopiedCall {
  uint32_t caller = UINT32_MAX;       // the copy that the CALL is in, before this one; UINT32_MAX: this is the kernel
  uint32_t instruction = UINT32_MAX;  // the CALL
  uint32_t entry = 0;                 // instruction
  bool absolute = false;              // by CALL.ABS
};

// Fills in CodeBlock::restored. An error if a RET, of what is called by CALL.ABS, may lead elsewhere than behind the
// call. Does nothing for code without CALL.ABS.
std::optional<support::Diagnostic> follow_returns(const Code& code, const std::vector<CopiedCall>& calls,
                                                  std::vector<CodeBlock>& blocks);

}  // namespace warpspan::sass
